import { join } from "node:path";
import { isMap, isSeq, parseDocument } from "yaml";
import type { FileChange } from "../../ports/definitions.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { loadAgent } from "./load-definition.ts";
import { readTextInside } from "../read-text.ts";
import { parseYaml } from "../yaml/parse-yaml.ts";
import { MAX_DEFINITION_BYTES } from "../yaml/read-yaml.ts";
import type { LoadedProject } from "../project/load-project.ts";

/**
 * Adds patterns to `permissions.allow` in the file of an agent. The rest of the file, with its comments, stays. Only
 * with `write` the file is changed. Refuses when the agent has no file of its own, and when the new text would not load.
 */
export async function allowCalls(
  projectDir: string,
  project: Pick<LoadedProject, "agents" | "projectFile" | "settings">,
  name: string,
  patterns: readonly string[],
  { write }: { readonly write: boolean },
): Promise<Result<FileChange, Refusal>> {
  const file = project.agents.get(name)?.file;
  if (file === undefined || file === project.projectFile) {
    const hint = "Allow it once, or for the run.";
    return refuse("conflict", `${name} has no file of its own to which a rule could be added.`, { hint });
  }
  const text = readTextInside(projectDir, file, MAX_DEFINITION_BYTES);
  if (!text.ok) return text;
  const after = withPatterns(text.value, patterns);
  const { defaults, workspace } = project.settings;
  const parsed = parseYaml(file, after);
  const outcome = parsed.ok ? loadAgent(parsed.source, { projectDir, defaults, provider: workspace.provider }) : parsed;
  const loaded = "loaded" in outcome ? outcome.loaded?.definition : undefined;
  if (loaded?.name !== name || !patterns.every((each) => loaded.permissions?.allow?.includes(each))) {
    return refuse("conflict", `A rule cannot be added to ${file}.`, { hint: "Write it into the file by hand." });
  }
  if (write && after !== text.value) await writeFileAtomic(join(projectDir, file), after, { label: file });
  return ok({ file, before: text.value, after });
}

function withPatterns(text: string, patterns: readonly string[]): string {
  const document = parseDocument(text, { schema: "core", merge: false, uniqueKeys: false });
  if (!isMap(document.get("permissions"))) document.set("permissions", document.createNode({}));
  const list = document.getIn(["permissions", "allow"]);
  const present = isSeq(list) ? list.toJSON() : list === undefined ? [] : [list];
  const missing = patterns.filter((each) => !present.includes(each));
  if (missing.length === 0) return text;
  if (isSeq(list)) for (const each of missing) list.add(document.createNode(each));
  else document.setIn(["permissions", "allow"], document.createNode([...present, ...missing]));
  return document.toString({ lineWidth: 0 });
}
