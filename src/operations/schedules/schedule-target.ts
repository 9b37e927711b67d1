import { readFrozenDefinition } from "../../domain/agent/frozen-definition.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { parseTarget, targetSpace, type Target } from "../../domain/message/target.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";
import type { StoreReads } from "../../ports/store/store.ts";

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
  schedule: ScheduleRecord,
  schedules: readonly ScheduleRecord[],
): Promise<string[]> {
  const parsed = parseScheduleTarget(schedule.target);
  if (!parsed.ok) return [];
  const { target } = parsed.value;
  if (target.kind !== "channel") return [target.agent];
  const space = formatSpace(targetSpace(target));
  const targets = new Set(schedules.map((each) => each.target));
  return (await store.workspaces.participants(space))
    .filter(({ agent }) => !targets.has(agent + space))
    .filter(({ definition }) => readFrozenDefinition(definition).schedule === undefined)
    .map(({ agent }) => agent);
}
