import { refuseBroken } from "../../domain/agent/broken-file.ts";
import { resolveEntry } from "../../domain/agent/resolve.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { ParticipantRecord } from "../../ports/store/workspace.ts";

/** Returns the participants that a workflow names, in its order. Those who stay keep their roles and what they said of
 * themselves. */
export function workflowMembers(
  workflow: WorkflowDefinition,
  space: string,
  before: readonly ParticipantRecord[] = [],
): ParticipantRecord[] {
  return Object.entries(workflow.agents).map(([agent, entry], position) => {
    const ref = entry.kind === "ref" ? entry.ref : null;
    const { role = null, task = null, mood = null } = before.find((each) => each.agent === agent) ?? {};
    return { space, agent, position, ref, role, task, mood };
  });
}

/** Refuses a workflow that refers to an agent that does not exist, or whose file is broken. */
export function checkReferences(definitions: Definitions, workflow: WorkflowDefinition): Result<undefined, Refusal> {
  const names = definitions.agents().map(({ name }) => name);
  for (const [name, entry] of Object.entries(workflow.agents)) {
    const ref = entry.kind === "ref" ? entry.ref : name;
    const problem = entry.kind === "ref" ? definitions.broken({ agent: ref, workflow: null }) : undefined;
    if (problem !== undefined) return refuseBroken("agent", ref, problem);
    const resolved = resolveEntry(name, entry, (agent) => definitions.agent(agent), names);
    if (!resolved.ok) return resolved;
  }
  return ok(undefined);
}
