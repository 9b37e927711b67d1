import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Terminal } from "../output/terminal.ts";
import { UsageError } from "./usage-error.ts";

/** The text of a file that a person names on the command line; `-` is standard input. */
export async function readTextFile(terminal: Terminal, file: string): Promise<string> {
  if (file === "-") return terminal.stdin();
  try {
    return (await readFile(resolve(terminal.cwd, file), "utf8")).replace(/^\uFEFF/, "");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(
      code === "ENOENT" ? `There is no file ${file}.` : `The file ${file} cannot be read (${code}).`,
    );
  }
}
