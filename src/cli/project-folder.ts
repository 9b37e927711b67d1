import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findProject } from "../files/project/find-project.ts";
import { UsageError, type Terminal } from "./command.ts";

/** The project a command works on: the one the given folder belongs to, or else the current folder. */
export function projectFolder(terminal: Terminal, given: string | undefined): string {
  const folder = resolve(terminal.cwd, given ?? ".");
  if (!existsSync(folder)) throw new UsageError(`There is no folder ${folder}.`);
  return findProject(folder);
}
