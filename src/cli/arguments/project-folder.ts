import { enclosingProject, findProject } from "../../files/project/find-project.ts";
import type { Terminal } from "../output/terminal.ts";
import { UsageError } from "./usage-error.ts";

const { existsSync, statSync } = process.getBuiltinModule("node:fs");
const { dirname, relative, resolve } = process.getBuiltinModule("node:path");

/**
 * Returns the project that contains the named folder, or the current folder without a name. `file` is what a person wants
 * to run: when the current folder has no project, it is that of the file, or the folder of the file if it is above.
 */
export function projectFolder(
  { cwd, env }: Pick<Terminal, "cwd" | "env">,
  named: string | undefined,
  file?: string,
): string {
  const home = env["HOME"];
  const folder = named === undefined ? cwd : resolve(cwd, named);
  if (!isFolder(folder)) throw new UsageError(`There is no folder ${folder}.`);
  const path = named === undefined && file !== undefined ? resolve(cwd, file) : undefined;
  if (path === undefined || !existsSync(path)) return findProject(folder, home);
  return enclosingProject(folder, home) ?? enclosingProject(dirname(path), home) ?? findProject(above(path, cwd), home);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The folder of the file when `cwd` is in it, else `cwd`. */
function above(path: string, cwd: string): string {
  const folder = dirname(path);
  return relative(folder, cwd).startsWith("..") ? cwd : folder;
}
