import type { ScheduleView } from "../../contract/schedules.ts";
import { nextFire } from "../../domain/schedule/schedule.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Execute } from "../core/define.ts";
import { findSchedule } from "./found-schedule.ts";
import { scheduleWakes } from "./schedule-wakes.ts";
import { toScheduleView } from "./view.ts";

/** Pauses or resumes a schedule. Doing it again changes nothing. Times that passed while it was paused are not missed. */
export async function changePause(
  ctx: Execute,
  target: string,
  pause: boolean,
): Promise<Result<ScheduleView, Refusal>> {
  const found = await findSchedule(ctx.store, target);
  if (!found.ok) return found;
  let { schedule } = found.value;
  if ((schedule.pausedAt !== null) !== pause) {
    const nextAt = pause ? schedule.nextAt : nextFire(schedule.wakeup, { nowMs: ctx.now });
    if (nextAt === null) {
      return refuse("conflict", `The schedule of ${found.value.shown} never occurs again.`, {
        hint: "Set another one, or clear it.",
      });
    }
    schedule = { ...schedule, nextAt, pausedAt: pause ? ctx.now : null, ...(pause ? {} : { createdAt: ctx.now }) };
    await ctx.store.schedules.set(schedule);
    await ctx.emit({ type: "schedule.set", target: schedule.target });
  }
  const schedules = await ctx.store.schedules.list();
  return ok(toScheduleView(schedule, await scheduleWakes(ctx.store, ctx.services.definitions, schedule, schedules)));
}
