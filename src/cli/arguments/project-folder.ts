import { findProject } from "../../files/project/find-project.ts";
import type { Terminal } from "../output/terminal.ts";
import { UsageError } from "./usage-error.ts";

const { existsSync } = process.getBuiltinModule("node:fs");
const { resolve } = process.getBuiltinModule("node:path");

/** The project a command works on: the one the given folder belongs to, or else the current folder. */
export function projectFolder(terminal: Pick<Terminal, "cwd">, given: string | undefined): string {
  const folder = given === undefined ? terminal.cwd : resolve(terminal.cwd, given);
  if (!existsSync(folder)) throw new UsageError(`There is no folder ${folder}.`);
  return findProject(folder);
}
