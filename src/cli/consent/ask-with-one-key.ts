import { EXIT } from "../../contract/service/errors.ts";
import type { Terminal } from "../output/terminal.ts";

const CTRL_C = "\u0003";

/** Asks a question that one key answers: y is yes, every other key no. Ctrl-C ends the command. */
export async function askWithOneKey(terminal: Terminal, question: string): Promise<boolean> {
  terminal.note(`${question} [y/N] `);
  const { stdin } = process;
  stdin.setRawMode(true);
  try {
    const key = await new Promise<string>((resolve) => {
      stdin.once("data", (data) => resolve(data.toString()));
      stdin.once("end", () => resolve(""));
      stdin.resume();
    });
    terminal.note(`${/^y/i.test(key) ? "y" : "n"}\n`);
    if (key === CTRL_C) process.exit(EXIT.interrupted);
    return /^y/i.test(key);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}
