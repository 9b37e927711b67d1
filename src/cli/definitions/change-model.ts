import type { Client } from "../../client/client.ts";
import type { EngineName } from "../../domain/agent/engines.ts";
import { checkModel } from "../../domain/agent/named-model.ts";
import { setModel } from "../../files/definitions/set-model.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

/** What became of the model of an agent. */
export interface ModelChange {
  readonly file: string;
  /** Null when its file named none. */
  readonly before: string | null;
  readonly changed: boolean;
}

/** Writes another model into the file of an agent, by the operation that every edit of a definition is. */
export async function changeModel(client: Client, name: string, model: string): Promise<Result<ModelChange, Refusal>> {
  const team = await client.call("list-agents", {});
  if (!team.ok) return team;
  const known = [...team.value.agents, ...team.value.workflowAgents].find((each) => each.name === name);
  if (known === undefined) {
    const shown = await client.call("show-agent", { name });
    return shown.ok ? refuse("conflict", `The file of ${name} cannot be used now.`) : shown;
  }
  const { source, model: before, backend } = known;
  const shown = await client.call("show-agent", { name });
  // With a provider of its own, a model is named as that provider names it.
  const isOwn = shown.ok && shown.value.provider !== null;
  const checked = isOwn ? ok(undefined) : checkModel({ model, backend: backend as EngineName });
  if (!checked.ok) return checked;
  if (source === "ephemeral") {
    return refuse("conflict", `${name} was made with new and has no file: its model cannot be changed.`, {
      hint: `Make another one: agent-worker new NAME --model ${model}`,
    });
  }
  const listed = await client.call("list-definition-files", {});
  if (!listed.ok) return listed;
  const file = listed.value.files.find((each) => each.kind === "agent" && each.name === name)?.file;
  if (file === undefined || source === "workflow") {
    return refuse("conflict", `${name} has no file of its own: its model is in the file that defines it.`, {
      hint: "Edit the file of its workflow, or the project file (moniro.yaml).",
    });
  }
  const read = await client.call("read-definition-file", { file });
  if (!read.ok) return read;
  const text = setModel(read.value.text, model);
  if (text === undefined) {
    return refuse("conflict", `The model of ${name} cannot be changed in place.`, { hint: `Edit ${file} itself.` });
  }
  const written = await client.call("write-definition-file", { file, text, revision: read.value.revision });
  return written.ok ? ok({ file, before, changed: written.value.changed }) : written;
}
