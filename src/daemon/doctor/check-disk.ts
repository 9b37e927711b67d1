import { statfs } from "node:fs/promises";
import { fine, warning, wrong, type Finding } from "./finding.ts";

const MEGABYTE = 1024 * 1024;
/** Below this commits may fail: each needs room for its log. */
const TOO_LITTLE = 50 * MEGABYTE;
const LITTLE = 500 * MEGABYTE;

/** Checks the free space of the disks that hold `folders`. */
export async function checkDisk(folders: readonly string[]): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  for (const folder of folders) {
    const finding = await roomFor(folder);
    if (finding !== undefined) findings.set(finding.message, finding);
  }
  return [...findings.values()];
}

async function roomFor(folder: string): Promise<Finding | undefined> {
  let free: number;
  try {
    const { bavail, bsize } = await statfs(folder);
    free = bavail * bsize;
  } catch {
    return undefined;
  }
  const message = `${Math.floor(free / MEGABYTE).toLocaleString("en")} MB free for ${folder}`;
  if (free < TOO_LITTLE) return wrong("disk", message, "Free some space: what cannot be written is not accepted.");
  if (free < LITTLE) return warning("disk", message, "Free some space soon.");
  return fine("disk", message);
}
