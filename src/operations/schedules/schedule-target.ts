import { readFrozenDefinition } from "../../domain/agent/frozen-definition.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { parseTarget, targetSpace, type Target } from "../../domain/message/target.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Who set a schedule that is written in a definition. */
export const DEFINED = "definition";

/** The one text a schedule is kept under: `alice`, `alice@review:main` or `@review:main`. */
function scheduleKey(target: Target): string {
  const space = formatSpace(targetSpace(target));
  return target.kind === "agent" ? target.agent + space : space;
}

export function parseScheduleTarget(text: string): Result<{ target: Target; key: string }, Refusal> {
  const target = parseTarget(text);
  return target.ok ? ok({ target: target.value, key: scheduleKey(target.value) }) : target;
}

/**
 * Whom a schedule wakes. One that is set on a workspace is the default of its agents: it wakes those that have none of
 * their own, neither set on them there nor written in their definition. `schedules` are all of the project.
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
  const taken = new Set(schedules.map((each) => each.target));
  return (await store.workspaces.participants(space))
    .filter(({ agent, definition }) => !taken.has(agent + space) && !hasOwnSchedule(definition))
    .map(({ agent }) => agent);
}

function hasOwnSchedule(definition: string): boolean {
  return readFrozenDefinition(definition).schedule !== undefined;
}
