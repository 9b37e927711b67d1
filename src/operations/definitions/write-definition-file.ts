import * as contract from "../../contract/project/definition-files.ts";
import { ok } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { EditedDefinitions } from "../../ports/trust.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/**
 * Writes a definition for a person. What the edit adds to what an agent or workflow can do is consent, as with
 * `agent edit`. It is no tool of a person's coding agent: a model must not widen its own rights.
 */
export const writeDefinitionFile = proposal(contract.writeDefinitionFile, {
  access: persons,

  async prepare({ file, text, revision }, { services: { definitions, trust } }) {
    await definitions.refresh();
    const before = definedIn(definitions, file);
    const written = await definitions.writeSource(file, { text, revision });
    if (written.ok && written.value.changed) trust.acceptEdit(before, definedIn(definitions, file));
    return written;
  },

  async execute(_data, ctx, written) {
    if (written.changed) await ctx.emit({ type: "definitions.changed" });
    return ok(written);
  },
});

function definedIn(definitions: Definitions, file: string): EditedDefinitions {
  const source = definitions.sources().find((each) => each.file === file);
  if (source === undefined || source.name === null) return {};
  if (source.kind === "agent") return { agent: definitions.agent(source.name) };
  return source.kind === "workflow" ? { workflow: definitions.workflow(source.name) } : {};
}
