import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { inspectDatabase } from "../../storage/sqlite/inspect.ts";
import { fine, wrong, type Finding } from "./finding.ts";

const MOST_DAMAGE = 5;

/** Reads the whole database, also while the daemon uses it. Throws when it cannot be opened. */
export function checkDatabase(projectDir: string, storePath: string): Finding[] {
  const file = isAbsolute(storePath) ? storePath : join(projectDir, storePath);
  if (passesLink(projectDir, dirname(file))) {
    const problem = `${dirname(storePath)} is, or passes through, a symbolic link`;
    return [wrong("database", problem, "Put a folder of your own in its place.")];
  }
  const inspection = inspectDatabase(file);
  if (inspection === undefined) return [fine("database", "none yet; the first message makes it")];
  const { damage, lostCommits } = inspection;
  if (damage.length > 0) {
    const restore = `Stop the daemon, keep ${storePath}, and restore the newest copy beside it.`;
    return damage.slice(0, MOST_DAMAGE).map((problem) => wrong("database", problem, restore));
  }
  if (lostCommits > 0) {
    const lost = `${lostCommits} acknowledged commits are missing: its log was damaged`;
    return [wrong("database", lost, "Check the disk; what was sent last may have to be sent again.")];
  }
  return [fine("database", `${storePath} is sound`)];
}

function passesLink(projectDir: string, folder: string): boolean {
  if (!existsSync(folder)) return false;
  return relative(realpathSync(projectDir), realpathSync(folder)) !== relative(projectDir, folder);
}
