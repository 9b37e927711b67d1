import { formatTarget } from "../../domain/message/target.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { parseScheduleTarget } from "./schedule-target.ts";

/** Returns the schedule of a target, with the target as people type it. */
export async function findSchedule(
  store: Pick<StoreReads, "schedules">,
  text: string,
): Promise<Result<{ readonly schedule: ScheduleRecord; readonly shown: string }, Refusal>> {
  const parsed = parseScheduleTarget(text);
  if (!parsed.ok) return parsed;
  const shown = formatTarget(parsed.value.target);
  const schedule = await store.schedules.byTarget(parsed.value.key);
  if (schedule !== undefined) return ok({ schedule, shown });
  return refuse("not_found", `There is no schedule for ${shown}.`, { hint: "See: agent-worker schedule" });
}
