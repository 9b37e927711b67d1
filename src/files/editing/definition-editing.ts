import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { LoadedProject } from "../project/load-project.ts";
import { findSource, listSources } from "./definition-sources.ts";
import { checkSource, readSource, writeSource } from "./edit-definition.ts";
import { readAgentFields, setAgentFields } from "./set-agent-fields.ts";

type DefinitionEditing = Pick<Definitions, "sources" | "readSource" | "checkSource" | "draftAgent" | "writeSource">;

/** How a registry of definitions reads its files again, and changes one of them while nobody else does. */
export interface EditingParts {
  readonly projectDir: string;
  readonly project: () => LoadedProject;
  readonly reload: () => Promise<void>;
  readonly change: <T>(task: () => Promise<T>) => Promise<T>;
}

/** The part of `Definitions` by which people edit files. */
export function createDefinitionEditing({ projectDir, project, reload, change }: EditingParts): DefinitionEditing {
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
      const source = listSources(project()).find((each) => each.kind === "agent" && each.name === name);
      if (source === undefined) {
        const names = [...project().agents.keys()];
        return refuse("not_found", `There is no file of an agent called "${name}".`, {
          hint: hintForUnknown(name, names, "agents"),
        });
      }
      const read = readSource(projectDir, source.file);
      if (!read.ok) return read;
      const { text, revision } = read.value;
      return ok({
        file: source.file,
        revision,
        before: text,
        after: setAgentFields(text, fields),
        fields: readAgentFields(text),
      });
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
