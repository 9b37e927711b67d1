import type { Terminal } from "../output/terminal.ts";

/** Returns the text of an argument; `-` means the whole standard input. */
export function textArgument(word: string, terminal: Terminal): Promise<string>;
export function textArgument(word: string | undefined, terminal: Terminal): Promise<string | undefined>;
export async function textArgument(word: string | undefined, terminal: Terminal): Promise<string | undefined> {
  return word === "-" ? terminal.stdin() : word;
}
