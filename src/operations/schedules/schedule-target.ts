import { formatSpace } from "../../domain/message/space.ts";
import { parseTarget, targetSpace, type Target } from "../../domain/message/target.ts";
import { findDefinition, type DefinitionReads } from "../../guard/identity/find-definition.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { definitionUse } from "../runs/run-agent.ts";

/** `createdBy` of a schedule that is written in a definition. */
export const DEFINED = "definition";

/** Returns the target with the key of its schedule: `alice`, `alice@review:main` or `@review:main`. */
export function parseScheduleTarget(text: string): Result<{ target: Target; key: string }, Refusal> {
  const target = parseTarget(text);
  if (!target.ok) return target;
  const space = formatSpace(targetSpace(target.value));
  return ok({ target: target.value, key: target.value.kind === "agent" ? target.value.agent + space : space });
}

/**
 * Returns the agents that a schedule wakes. The schedule of a workspace wakes the participants that have none of their
 * own, neither set for them in this workspace nor in their definition. `schedules` are all schedules of the project.
 */
export async function scheduleRecipients(
  store: StoreReads,
  definitions: DefinitionReads,
  schedule: ScheduleRecord,
  schedules: readonly ScheduleRecord[],
): Promise<string[]> {
  const parsed = parseScheduleTarget(schedule.target);
  if (!parsed.ok) return [];
  const { target } = parsed.value;
  if (target.kind !== "channel") return [target.agent];
  const space = formatSpace(targetSpace(target));
  const targets = new Set(schedules.map((each) => each.target));
  const { workflow } = await definitionUse(store, { agent: "", space });
  const hasOwn = (agent: string): boolean => {
    const found = findDefinition(definitions, { agent, workflow });
    return targets.has(agent + space) || (found.kind === "found" && found.agent.definition.schedule !== undefined);
  };
  return (await store.workspaces.roster(space)).map(({ agent }) => agent).filter((agent) => !hasOwn(agent));
}
