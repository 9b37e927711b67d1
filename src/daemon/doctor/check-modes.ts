import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { narrowerMode, objectionToFile, objectionToFolder } from "../../files/private-file.ts";
import { fixed, wrong, type Finding } from "./finding.ts";

/** Checks that these files and folders are ours alone. With `fix`, takes away the rights of others. */
export function checkModes(check: string, paths: readonly string[], fix: boolean): Finding[] {
  return paths.flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    const objection = stats.isDirectory() ? objectionToFolder(stats) : objectionToFile(stats);
    if (objection !== undefined)
      return [wrong(check, `${path} ${objection}`, "Find out who made it, then move it away.")];
    const mode = narrowerMode(stats);
    if (mode === undefined) return [];
    const before = (stats.mode & 0o777).toString(8);
    if (!fix) {
      const problem = `${path} has mode 0${before}: others can get at it`;
      return [wrong(check, problem, "Repair it with: agent-worker doctor --fix")];
    }
    chmodSync(path, mode);
    return [fixed(check, `${path} had mode 0${before}; it is 0${mode.toString(8)} now`)];
  });
}

/** Returns a folder and everything below it, except what is in `except`. Follows no link. */
export function pathsBelow(folder: string, except: readonly string[] = []): string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [folder];
  const names = readdirSync(folder).filter((name) => !except.includes(name));
  return [folder, ...names.flatMap((name) => pathsBelow(join(folder, name)))];
}
