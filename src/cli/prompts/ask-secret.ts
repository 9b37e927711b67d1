import { isCancel, password } from "@clack/prompts";
import { assumeTerminalSize } from "./terminal-size.ts";

/** Asks for a secret on the terminal, without showing it. Returns undefined when the person gives up. */
export async function askSecret(message: string): Promise<string | undefined> {
  assumeTerminalSize();
  const answer = await password({ message, output: process.stderr });
  return isCancel(answer) ? undefined : answer;
}
