import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Returns every file below `folder`, as sorted paths from `root` with `/`; none when the folder does not exist. */
export function projectFiles(root: string, folder: string): readonly string[] {
  return entries(join(root, folder))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.includes("node_modules/"))
    .sort();
}

export function typeScriptFiles(root: string, folder: string): readonly string[] {
  return projectFiles(root, folder).filter((path) => /\.tsx?$/.test(path));
}

function entries(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
