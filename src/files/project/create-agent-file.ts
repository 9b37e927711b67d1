import { readdirSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { openFolder } from "../confined-folder.ts";
import { foldName } from "../confined-path.ts";
import { agentYaml } from "../definitions/agent-yaml.ts";
import { loadAgent } from "../definitions/load-definition.ts";
import { applyDefaults } from "../definitions/normalise/apply-defaults.ts";
import { parseYaml } from "../yaml/parse-yaml.ts";
import { addToListing } from "./agent-listing.ts";
import { AGENTS_FOLDER } from "./find-project.ts";
import type { LoadedProject } from "./load-project.ts";
import { contextFolderOf } from "./personal-folder.ts";

/**
 * Writes the file of a new agent, then creates the folder of its personal context. The text is parsed by the loader
 * before it is written, so that a definition that a file cannot represent is refused.
 */
export async function createAgentFile(
  projectDir: string,
  project: Pick<LoadedProject, "settings" | "listsAgents" | "projectFile">,
  definition: AgentDefinition,
): Promise<Result<{ file: string }, Refusal>> {
  const name = `${definition.name}.yaml`;
  const file = `${AGENTS_FOLDER}/${name}`;
  const text = agentYaml(definition, AGENTS_FOLDER);
  const readable = checkReadsBack(projectDir, project, definition, file, text);
  if (!readable.ok) return readable;

  const opened = openFolder(projectDir, [AGENTS_FOLDER], { create: true });
  if (!opened.ok) return opened;
  using folder = opened.value;
  const other = readdirSync(folder.at(".")).find(
    (entry) => foldName(entry.replace(/\.yml$/iu, ".yaml")) === foldName(name),
  );
  const outcome =
    other ?? (await writeFileAtomic(folder.at(name), text, { exclusive: true, mode: 0o644, label: file }));
  if (outcome !== "written") {
    return refuse("conflict", `The file ${AGENTS_FOLDER}/${other ?? name} already exists.`, {
      hint: "Choose another name, or repair or remove the file.",
    });
  }
  const context = openFolder(projectDir, contextFolderOf(definition).split("/"), { create: true });
  if (!context.ok) return context;
  context.value[Symbol.dispose]();
  if (!project.listsAgents || project.projectFile === undefined) return ok({ file });
  const listed = await addToListing(projectDir, project.projectFile, file);
  return listed.ok ? ok({ file }) : listed;
}

function checkReadsBack(
  projectDir: string,
  { settings }: Pick<LoadedProject, "settings">,
  definition: AgentDefinition,
  file: string,
  text: string,
): Result<void, Refusal> {
  const { defaults, workspace } = settings;
  const parsed = parseYaml(file, text);
  const outcome = parsed.ok ? loadAgent(parsed.source, { projectDir, defaults, provider: workspace.provider }) : parsed;
  const read = "loaded" in outcome ? outcome.loaded?.definition : undefined;
  if (read !== undefined && isDeepStrictEqual(read, applyDefaults(definition, defaults))) return ok(undefined);
  const first = outcome.problems.find(({ severity }) => severity === "error");
  return refuse("invalid", first?.message ?? `The definition of "${definition.name}" cannot be written as a file.`, {
    ...(first?.hint === undefined ? {} : { hint: first.hint }),
    details: { problems: outcome.problems.map(({ path, message }) => ({ path: path.join("."), message })) },
  });
}
