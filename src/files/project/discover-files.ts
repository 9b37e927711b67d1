import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errnoOf, fileFault } from "../file-fault.ts";
import type { ListedFile } from "./project-file.ts";

/** Lists the definition files directly in a folder: no subfolders (skills, personal contexts), no hidden files. */
export function discoverFiles(projectDir: string, folder: string): readonly ListedFile[] {
  try {
    return readdirSync(join(projectDir, folder), { withFileTypes: true })
      .filter((entry) => /^[^.].*\.ya?ml$/iu.test(entry.name) && !entry.isDirectory())
      .map((entry) => entry.name)
      .toSorted()
      .map((name) => ({ file: `${folder}/${name}` }));
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return [];
    throw fileFault("read", folder, error);
  }
}
