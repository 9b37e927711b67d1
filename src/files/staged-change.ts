import { lstatSync, rmSync } from "node:fs";
import type { StagedChange } from "../kernel/file-effect.ts";
import { openFolder } from "./confined-folder.ts";

/** Returns whether the staged content has become the file. It has not while it is still under its own name. */
export function isStagedChangeDone({ root, folder: segments, staged, file }: StagedChange): boolean {
  const opened = openFolder(root, segments);
  if (!opened.ok) return false;
  using folder = opened.value;
  const waiting = lstatSync(folder.at(staged), { throwIfNoEntry: false });
  if (waiting === undefined) return true;
  // A new file is made with a second name for the content, before the first is removed.
  const target = lstatSync(folder.at(file), { throwIfNoEntry: false });
  return target !== undefined && target.ino === waiting.ino && target.dev === waiting.dev;
}

/** Removes staged content that did not become the file. Never throws: the next sweep would find it. */
export function discardStagedChange({ root, folder: segments, staged }: StagedChange): void {
  try {
    const opened = openFolder(root, segments);
    if (!opened.ok) return;
    using folder = opened.value;
    rmSync(folder.at(staged), { force: true });
  } catch {
    // It is removed when it is old: see `sweepStaged`.
  }
}
