import { errnoOf, fileFault } from "../file-fault.ts";

// Not imported: every command runs this file, and importing these modules takes longer than all the rest of it.
const { readdirSync, realpathSync, statSync } = process.getBuiltinModule("node:fs");
const { dirname } = process.getBuiltinModule("node:path");

/** The possible names of the project file. A project has one of them. */
export const PROJECT_FILES = ["moniro.yaml", "moniro.yml", ".agents.yaml", ".agents.yml"] as const;
export const AGENTS_FOLDER = ".agents";
export const WORKFLOWS_FOLDER = ".workflows";
/** Shared with other tools; contains no agents. */
const SKILLS_FOLDER = "skills";

/**
 * Returns the project of `from`: the nearest folder, going up, that has a project file, `.workflows/`, or `.agents/`
 * with more than skills in it (many home folders have one with skills). Without any, `from` itself. The path is a real
 * path, so that a project has one name however it is reached.
 */
export function findProject(from: string, home?: string): string {
  return enclosingProject(from, home) ?? realFolder(from);
}

/**
 * Returns the same, or undefined when no folder above is a project. Does not look beyond the home folder, nor on another
 * file system: what is there belongs to somebody else.
 */
export function enclosingProject(from: string, home?: string): string | undefined {
  const start = realFolder(from);
  const top = home === undefined || home === "" ? undefined : realOrSame(home);
  const { dev } = statSync(start);
  for (let folder = start; ; folder = dirname(folder)) {
    if (isProject(folder)) return folder;
    const above = dirname(folder);
    if (folder === top || above === folder || statSync(above).dev !== dev) return undefined;
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

function realOrSame(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
