import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { openFolder } from "../confined-folder.ts";
import { errnoOf, fileFault } from "../file-fault.ts";
import { AGENTS_FOLDER, PROJECT_FILES, WORKFLOWS_FOLDER } from "./find-project.ts";
import { projectFileText, teamFiles, type TeamKind, type TeamPlace } from "./team-templates.ts";
import { writeSchemas } from "./write-schemas.ts";

/**
 * Creates the files of a new project: a team, the JSON Schemas for editors, and a line in `.gitignore` for the working
 * data. Existing definitions are never changed, and a project that has any gets no team.
 */
export interface CreatedFiles {
  /** Paths relative to the project, in all three lists. */
  readonly created: readonly string[];
  /** Existed before; something was added. */
  readonly extended: readonly string[];
  /** Existed before; unchanged. */
  readonly kept: readonly string[];
}

const IGNORED = ".workspace/";
const IGNORE_FILE = ".gitignore";

export async function createProjectFiles(
  dir: string,
  team: TeamKind,
  place: TeamPlace,
): Promise<Result<CreatedFiles, Refusal>> {
  const existing = definitionFiles(dir);
  const created: string[] = [];
  const files = existing.length > 0 ? [] : teamFiles(team, place);
  for (const folderName of [AGENTS_FOLDER, WORKFLOWS_FOLDER]) {
    const opened = openFolder(dir, [folderName], { create: true });
    if (!opened.ok) return opened;
    using folder = opened.value;
    for (const [place, name, text] of files) {
      if (place !== folderName) continue;
      const file = `${folderName}/${name}`;
      const outcome = await writeFileAtomic(folder.at(name), text, { exclusive: true, mode: 0o644, label: file });
      if (outcome === "written") created.push(file);
    }
  }
  if (team === "empty" && existing.length === 0) {
    // Without a team, nothing else would keep the engine that was chosen.
    const [file] = PROJECT_FILES;
    const text = projectFileText(place.engine);
    const outcome = await writeFileAtomic(join(dir, file), text, { exclusive: true, mode: 0o644, label: file });
    if (outcome === "written") created.push(file);
  }
  const schemas = await writeSchemas(dir);
  if (!schemas.ok) return schemas;
  const ignored = await ignoreWorkspace(dir);
  return ok({
    created: ignored === "created" ? [...created, IGNORE_FILE] : created,
    extended: ignored === "extended" ? [IGNORE_FILE] : [],
    kept: ignored === "kept" ? [...existing, IGNORE_FILE] : existing,
  });
}

/** Returns whether a folder is a project already. */
export function hasDefinitions(dir: string): boolean {
  return definitionFiles(dir).length > 0;
}

function definitionFiles(dir: string): string[] {
  return [
    ...PROJECT_FILES.filter((file) => readIfExists(join(dir, file)) !== undefined),
    ...definitionsIn(dir, AGENTS_FOLDER),
    ...definitionsIn(dir, WORKFLOWS_FOLDER),
  ];
}

function definitionsIn(dir: string, folder: string): string[] {
  try {
    const names = readdirSync(join(dir, folder)).toSorted();
    return names.filter((name) => /\.ya?ml$/i.test(name)).map((name) => `${folder}/${name}`);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return [];
    throw fileFault("read", folder, error);
  }
}

async function ignoreWorkspace(dir: string): Promise<keyof CreatedFiles> {
  const path = join(dir, IGNORE_FILE);
  const text = readIfExists(path);
  if (text === undefined) {
    await writeFileAtomic(path, `${IGNORED}\n`, { mode: 0o644, label: IGNORE_FILE });
    return "created";
  }
  if (text.split(/\r?\n/).some((line) => /^\/?\.workspace\/?$/.test(line.trim()))) return "kept";
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  await writeFileAtomic(path, `${text}${gap}${IGNORED}\n`, { label: IGNORE_FILE });
  return "extended";
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw fileFault("read", path, error);
  }
}
