import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Returns the path of a program, searched on this PATH as a shell does; null when it is not found. */
export async function findProgram(program: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter)) {
    // A relative folder would depend on the current folder.
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
