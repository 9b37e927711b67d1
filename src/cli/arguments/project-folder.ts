import { findProject } from "../../files/project/find-project.ts";
import type { Terminal } from "../output/terminal.ts";
import { UsageError } from "./usage-error.ts";

const { existsSync } = process.getBuiltinModule("node:fs");
const { resolve } = process.getBuiltinModule("node:path");

/** Returns the project that contains the named folder, or the current folder without a name. */
export function projectFolder({ cwd, env }: Pick<Terminal, "cwd" | "env">, named: string | undefined): string {
  const folder = named === undefined ? cwd : resolve(cwd, named);
  if (!existsSync(folder)) throw new UsageError(`There is no folder ${folder}.`);
  return findProject(folder, env["HOME"]);
}
