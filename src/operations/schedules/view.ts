import type { ScheduleView } from "../../contract/schedules.ts";
import { formatTarget, parseTarget } from "../../domain/message/target.ts";
import { formatDuration } from "../../domain/schedule/duration.ts";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";
import { DEFINED } from "./schedule-target.ts";
import type { ScheduleWakes } from "./schedule-wakes.ts";

export function toScheduleView(schedule: ScheduleRecord, { agents, rests }: ScheduleWakes): ScheduleView {
  const { wakeup, prompt, nextAt, lastFiredAt, pausedAt, createdBy } = schedule;
  const target = parseTarget(schedule.target);
  return {
    target: target.ok ? formatTarget(target.value) : schedule.target,
    wakeup: wakeup.kind === "interval" ? formatDuration(wakeup.everyMs) : wakeup.expression,
    timeZone: wakeup.kind === "interval" ? null : wakeup.timeZone,
    prompt,
    agents: [...agents],
    state: rests === null ? "waiting" : "resting",
    paused: pausedAt !== null,
    defined: createdBy === DEFINED,
    reason: rests,
    nextAt: rests === null ? new Date(nextAt).toISOString() : null,
    lastFiredAt: lastFiredAt === null ? null : new Date(lastFiredAt).toISOString(),
  };
}
