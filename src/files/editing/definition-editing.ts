import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { LoadedProject } from "../project/load-project.ts";
import { findSource, listSources } from "./definition-sources.ts";
import { checkSource, readSource, writeSource } from "./edit-definition.ts";
import { readAgentFields, setAgentFields } from "./set-agent-fields.ts";
import { readWorkflowFields, setWorkflowFields } from "./set-workflow-fields.ts";

type DefinitionEditing = Pick<
  Definitions,
  "sources" | "readSource" | "checkSource" | "draftAgent" | "draftWorkflow" | "writeSource"
>;

/** How a registry of definitions reads its files again, and changes one of them while nobody else does. */
export interface EditingParts {
  readonly projectDir: string;
  readonly project: () => LoadedProject;
  readonly reload: () => Promise<void>;
  readonly change: <T>(task: () => Promise<T>) => Promise<T>;
}

/** The part of `Definitions` by which people edit files. */
export function createDefinitionEditing({ projectDir, project, reload, change }: EditingParts): DefinitionEditing {
  const sourceOf = (kind: "agent" | "workflow", name: string) => {
    const sources = listSources(project()).filter((each) => each.kind === kind);
    const source = sources.find((each) => each.name === name);
    if (source === undefined) {
      const names = sources.flatMap((each) => (each.name === null ? [] : [each.name]));
      return refuse("not_found", `There is no file of ${kind === "agent" ? "an" : "a"} ${kind} called "${name}".`, {
        hint: hintForUnknown(name, names, `${kind}s`),
      });
    }
    const read = readSource(projectDir, source.file);
    return read.ok ? ok({ file: source.file, ...read.value }) : read;
  };
  return {
    sources: () => listSources(project()),
    readSource: (path) => {
      const source = findSource(project(), path);
      if (!source.ok) return source;
      const read = readSource(projectDir, source.value.file);
      return read.ok ? ok({ ...source.value, ...read.value }) : read;
    },
    checkSource: (path, text) => {
      const source = findSource(project(), path);
      return source.ok ? ok(checkSource(projectDir, project(), source.value, text)) : source;
    },
    draftAgent: (name, fields) => {
      const before = sourceOf("agent", name);
      if (!before.ok) return before;
      const { text, ...source } = before.value;
      return ok({ ...source, before: text, after: setAgentFields(text, fields), fields: readAgentFields(text) });
    },
    draftWorkflow: (name, fields) => {
      const before = sourceOf("workflow", name);
      if (!before.ok) return before;
      const { text, ...source } = before.value;
      return ok({ ...source, before: text, after: setWorkflowFields(text, fields), fields: readWorkflowFields(text) });
    },
    writeSource: (path, content) =>
      change(async () => {
        await reload();
        const source = findSource(project(), path);
        if (!source.ok) return source;
        const written = await writeSource(projectDir, project(), source.value, content);
        if (written.ok) await reload();
        return written;
      }),
  };
}
