import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Where a program is, searched as a shell would on this PATH; null when it is nowhere. */
export async function findProgram(program: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter)) {
    // What is meant relative to the folder somebody happens to work in is not looked at.
    if (!isAbsolute(folder)) continue;
    const candidate = join(folder, program);
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
