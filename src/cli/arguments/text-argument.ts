import type { Terminal } from "../output/terminal.ts";

/** A text given as an argument; `-` stands for everything on standard input. */
export async function textArgument(word: string, terminal: Terminal): Promise<string> {
  return word === "-" ? terminal.stdin() : word;
}
