import { errnoOf, fileFault } from "../file-fault.ts";

// Not imported: every command runs this file, and importing these modules takes longer than all the rest of it.
const { readdirSync, realpathSync, statSync } = process.getBuiltinModule("node:fs");
const { dirname } = process.getBuiltinModule("node:path");

/** The two possible names of the project file. */
export const PROJECT_FILES = ["moniro.yaml", ".agents.yaml"] as const;
export const AGENTS_FOLDER = ".agents";
export const WORKFLOWS_FOLDER = ".workflows";
/** Shared with other tools; contains no agents. */
const SKILLS_FOLDER = "skills";

/**
 * Returns the project of `from`: the nearest folder, going up, that has a project file, `.workflows/`, or `.agents/`
 * with more than skills in it (many home folders have one with skills). Without any, `from` itself. The path is a real
 * path, so that a project has one name however it is reached.
 */
export function findProject(from: string): string {
  const start = realFolder(from);
  for (let folder = start; ; folder = dirname(folder)) {
    if (isProject(folder)) return folder;
    if (dirname(folder) === folder) return start;
  }
}

function isProject(folder: string): boolean {
  if (PROJECT_FILES.some((name) => kindOf(`${folder}/${name}`) === "file")) return true;
  return kindOf(`${folder}/${WORKFLOWS_FOLDER}`) === "folder" || hasAgents(`${folder}/${AGENTS_FOLDER}`);
}

function hasAgents(folder: string): boolean {
  try {
    const names = readdirSync(folder);
    return names.length === 0 || names.some((name) => name !== SKILLS_FOLDER && !name.startsWith("."));
  } catch {
    return false;
  }
}

function kindOf(path: string): "file" | "folder" | undefined {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return "folder";
    return stats.isFile() ? "file" : undefined;
  } catch {
    return undefined;
  }
}

function realFolder(from: string): string {
  try {
    const path = realpathSync.native(from);
    return statSync(path).isDirectory() ? path : dirname(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    throw fileFault("read", from, error);
  }
}
