import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineName } from "../../domain/agent/definition.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { openFolder } from "../confined-folder.ts";
import { modeline } from "../definitions/schema/json-schema.ts";
import { errnoOf, fileFault } from "../file-fault.ts";
import { AGENTS_FOLDER, PROJECT_FILES, WORKFLOWS_FOLDER } from "./find-project.ts";
import { writeSchemas } from "./write-schemas.ts";

/**
 * Creates the files of a new project: an example agent and workflow, the JSON Schemas for editors, and a line in
 * `.gitignore` for the working data. Existing definitions are never changed, and a project that has any gets no examples.
 */
export interface CreatedFiles {
  /** Paths relative to the project, in all three lists. */
  readonly created: readonly string[];
  /** Existed before; something was added. */
  readonly extended: readonly string[];
  /** Existed before; unchanged. */
  readonly kept: readonly string[];
}

export const EXAMPLE_AGENT = "alice";
export const EXAMPLE_WORKFLOW = "hello";

const IGNORED = ".workspace/";
const IGNORE_FILE = ".gitignore";

export async function createProjectFiles(dir: string, engine: EngineName): Promise<Result<CreatedFiles, Refusal>> {
  const existing = [
    ...PROJECT_FILES.filter((file) => readIfExists(join(dir, file)) !== undefined),
    ...definitionsIn(dir, AGENTS_FOLDER),
    ...definitionsIn(dir, WORKFLOWS_FOLDER),
  ];
  const created: string[] = [];
  const examples: readonly [string, string, string][] = [
    [AGENTS_FOLDER, `${EXAMPLE_AGENT}.yaml`, agentText(engine)],
    [WORKFLOWS_FOLDER, `${EXAMPLE_WORKFLOW}.yaml`, workflowText(engine)],
  ];
  for (const [folderName, name, text] of examples) {
    const opened = openFolder(dir, [folderName], { create: true });
    if (!opened.ok) return opened;
    using folder = opened.value;
    if (existing.length > 0) continue;
    const file = `${folderName}/${name}`;
    const outcome = await writeFileAtomic(folder.at(name), text, { exclusive: true, mode: 0o644, label: file });
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

/** The sdk engine needs a model: `auto` is the first model whose API key is set. */
function engineLine(engine: EngineName): string {
  return engine === "sdk" ? "model: auto" : `backend: ${engine}`;
}

function agentText(engine: EngineName): string {
  return `${modeline("agent")}
# Who alice is. Her memory, notes and conversations are files in .agents/alice/.
name: ${EXAMPLE_AGENT}
${engineLine(engine)}
prompt:
  system: |
    You read what others write and say what is wrong with it: mistakes first, style last.
    When nothing is wrong, say so in one sentence.
soul:
  role: reviewer
  style: brief and concrete
  principles:
    - Say what to change, not only what is wrong
`;
}

function workflowText(engine: EngineName): string {
  return `${modeline("workflow")}
# How they work together. Run it with: agent-worker run ${EXAMPLE_WORKFLOW}
name: ${EXAMPLE_WORKFLOW}
agents:
  ${EXAMPLE_AGENT}: { ref: ${EXAMPLE_AGENT} }
  bob:
    ${engineLine(engine)}
    prompt:
      system: You write short, plain texts. When one is done, hand it to @${EXAMPLE_AGENT} for a look.
params:
  topic: { type: string, default: a team of agents that keeps its word }
kickoff: |
  @bob please write two lines about \${{ params.topic }}.
`;
}
