import { lstatSync } from "node:fs";
import { renameIfFree } from "../atomic-write.ts";
import type { Folder } from "../confined-folder.ts";

const MAX_KEPT = 100;

/**
 * Makes way for a mirror in a folder that may be a person's own: a file with content that no mirror wrote keeps that
 * content under another name. Links and empty files are no content of this folder; the mirror replaces them.
 */
export function setAside(folder: Folder, name: string): void {
  const stats = lstatSync(folder.at(name), { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size === 0) return;
  for (let n = 1; n <= MAX_KEPT; n += 1) {
    if (renameIfFree(folder.at(name), folder.at(`${name}.kept-${n}`))) return;
  }
  throw new Error(`${name} is not a mirror, and was set aside ${MAX_KEPT} times already`);
}
