import { homedir } from "node:os";
import type { Terminal } from "../../output/terminal.ts";

export function homeOf({ env }: Terminal): string {
  return env["HOME"] ?? homedir();
}
