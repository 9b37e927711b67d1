import { lstatSync } from "node:fs";
import { renameIfFree } from "../atomic-write.ts";
import type { Folder } from "../confined-folder.ts";

const MAX_BACKUPS = 100;

/**
 * Renames a file that a mirror is about to replace and did not write, because the folder may belong to a person. Links
 * and empty files have no content of their own and are not backed up.
 */
export function backUpExisting(folder: Folder, name: string): void {
  const stats = lstatSync(folder.at(name), { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size === 0) return;
  for (let n = 1; n <= MAX_BACKUPS; n += 1) {
    if (renameIfFree(folder.at(name), folder.at(`${name}.kept-${n}`))) return;
  }
  throw new Error(`${name} is not a mirror, and was set aside ${MAX_BACKUPS} times already`);
}
