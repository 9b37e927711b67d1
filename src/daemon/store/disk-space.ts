import { statfsSync } from "node:fs";

/** With less space a database cannot even checkpoint its log. On a small disk it is a part of the disk. */
const LITTLE_SPACE = 16 * 1024 * 1024;
const SMALL_PART = 0.05;

/** False for a folder that is not there. */
export function hasLittleSpace(folder: string): boolean {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return bavail * bsize < Math.min(LITTLE_SPACE, blocks * bsize * SMALL_PART);
  } catch {
    return false;
  }
}
