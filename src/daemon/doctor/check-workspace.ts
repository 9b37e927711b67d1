import { lstatSync } from "node:fs";
import { join } from "node:path";
import { checkModes, pathsBelow } from "./check-modes.ts";
import { fine, type Finding } from "./finding.ts";

const FOLDER = ".workspace";
/** Checkouts of the project: git gives their files the modes that the project has. */
const WORKTREES = "worktrees";
const MOST_FINDINGS = 10;

/** Checks that the working data of a project is ours alone: it holds everything that was said. */
export function checkWorkspace(projectDir: string, fix: boolean): Finding[] {
  const folder = join(projectDir, FOLDER);
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) {
    return [fine("workspace", `${FOLDER} is made when it is needed`)];
  }
  const findings = checkModes("workspace", pathsBelow(folder, [WORKTREES]), fix);
  return findings.length === 0 ? [fine("workspace", `${FOLDER} is yours alone`)] : findings.slice(0, MOST_FINDINGS);
}
