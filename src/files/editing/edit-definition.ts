import { posix } from "node:path";
import { nameKey } from "../../domain/names.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { DefinitionProblem, DefinitionSource, WrittenSource } from "../../ports/definitions.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { openFolder } from "../confined-folder.ts";
import { loadAgent, loadWorkflow } from "../definitions/load-definition.ts";
import { checkSchema } from "../definitions/schema/check-schema.ts";
import { explainMisplacedKey } from "../definitions/schema/misplaced-keys.ts";
import { projectSchema } from "../definitions/schema/project-schema.ts";
import { revisionOf } from "../documents/revision.ts";
import { addToListing } from "../project/agent-listing.ts";
import { checkWorkflowAgents } from "../project/check-across-files.ts";
import type { LoadedProject } from "../project/load-project.ts";
import { readTextInside } from "../read-text.ts";
import { parseYaml } from "../yaml/parse-yaml.ts";
import { formatProblem, problem, START_OF_FILE } from "../yaml/problem.ts";
import { MAX_DEFINITION_BYTES } from "../yaml/read-yaml.ts";
import { createReport } from "../yaml/report.ts";

/** Reads a definition. The path was found with `findSource`. */
export function readSource(projectDir: string, file: string): Result<{ text: string; revision: string }, Refusal> {
  const text = readTextInside(projectDir, file, MAX_DEFINITION_BYTES);
  return text.ok ? ok({ text: text.value, revision: revisionOf(text.value) }) : text;
}

/** Returns what would be wrong if the file had this text, with the rest of the project as it is. */
export function checkSource(
  projectDir: string,
  project: LoadedProject,
  source: DefinitionSource,
  text: string,
): readonly DefinitionProblem[] {
  if (source.kind === "prompt") return [];
  const parsed = parseYaml(source.file, text);
  if (!parsed.ok) return parsed.problems;
  const { defaults, workspace } = project.settings;
  const options = { projectDir, defaults, provider: workspace.provider, documents: workspace.documents } as const;
  switch (source.kind) {
    case "agent": {
      const { loaded, problems } = loadAgent(parsed.source, options);
      return [...problems, ...otherName(source, loaded?.definition.name)];
    }
    case "workflow": {
      const { loaded, problems } = loadWorkflow(parsed.source, options);
      if (loaded === undefined) return problems;
      const across = checkWorkflowAgents(loaded, project.agents, project.problems);
      return [...problems, ...across, ...otherName(source, loaded.definition.name)];
    }
    case "project": {
      const report = createReport(parsed.source);
      checkSchema(projectSchema, parsed.source.value, report, explainMisplacedKey);
      return report.problems;
    }
  }
}

/** A name cannot be edited: it would be somebody else, without memories and without the messages that wait. */
function otherName({ file, name }: DefinitionSource, written: string | undefined): readonly DefinitionProblem[] {
  if (name === null || written === undefined || written === name) return [];
  const message = `The file calls it "${written}", and it is "${name}". A name cannot be edited: it would be somebody else.`;
  return [problem(file, START_OF_FILE, message, { path: ["name"], hint: "Make a new one under the other name." })];
}

/**
 * Writes a definition. `revision` is that of the text the writer has read, or null for a new file; any other state of
 * the file is refused, so that two writers never overwrite each other silently. A text with errors is refused.
 */
export async function writeSource(
  projectDir: string,
  project: LoadedProject,
  source: DefinitionSource,
  { text, revision }: { readonly text: string; readonly revision: string | null },
): Promise<Result<WrittenSource, Refusal>> {
  const { file } = source;
  const before = readSource(projectDir, file);
  if (!before.ok && before.error.code !== "not_found") return before;
  const current = before.ok ? before.value.revision : null;
  if (current !== revision) return refuseStale(file, current);
  const other = current === null ? fileOfName(project, source) : undefined;
  if (other !== undefined && other !== file) {
    return refuse("conflict", `"${source.name}" is defined in ${other} already.`, { hint: "Choose another name." });
  }
  if (!text.isWellFormed()) return refuse("invalid", `The new text of ${file} is not well-formed.`);
  if (Buffer.byteLength(text) > MAX_DEFINITION_BYTES) {
    return refuse("too_large", `${file} would be larger than ${MAX_DEFINITION_BYTES / 1024} KiB.`);
  }
  const problems = checkSource(projectDir, project, source, text).filter(({ severity }) => severity === "error");
  if (problems.length > 0) return refuseMistakes(file, problems);
  const written = { ...source, revision: revisionOf(text) };
  if (written.revision === current) return ok({ ...written, changed: false });
  const folder = posix.dirname(file);
  const opened = openFolder(projectDir, folder === "." ? [] : folder.split("/"), { create: true });
  if (!opened.ok) return opened;
  using place = opened.value;
  const isNew = current === null;
  const outcome = await writeFileAtomic(place.at(posix.basename(file)), text, {
    label: file,
    ...(isNew ? { exclusive: true, mode: 0o644 } : {}),
  });
  if (outcome !== "written") return refuseStale(file, "");
  if (isNew && source.kind === "agent" && project.listsAgents && project.projectFile !== undefined) {
    const listed = await addToListing(projectDir, project.projectFile, file);
    if (!listed.ok) return listed;
  }
  return ok({ ...written, changed: true });
}

/** Names that differ only in case are the same. */
function fileOfName(project: LoadedProject, { kind, name }: DefinitionSource): string | undefined {
  if (name === null || kind === "prompt") return undefined;
  const defined = kind === "agent" ? project.agents : project.workflows;
  return [...defined.values()].find(({ definition }) => nameKey(definition.name) === nameKey(name))?.file;
}

function refuseStale(file: string, current: string | null): Result<never, Refusal> {
  const message =
    current === null ? `${file} is not there any more.` : `${file} was changed by somebody else meanwhile.`;
  return refuse("stale_revision", message, {
    hint: "Read it again and apply your change to what is there now.",
    details: { revision: current },
  });
}

function refuseMistakes(file: string, problems: readonly DefinitionProblem[]): Result<never, Refusal> {
  return refuse("invalid", `${file} would have mistakes.\n${problems.map(formatProblem).join("\n")}`, {
    hint: "Correct the text and try again. Nothing was written.",
    details: { problems },
  });
}
