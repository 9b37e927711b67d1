import type { ScheduleView } from "../../contract/schedules.ts";
import { formatTarget, parseTarget } from "../../domain/message/target.ts";
import { formatDuration } from "../../domain/schedule/duration.ts";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";

export function toScheduleView(schedule: ScheduleRecord, agents: readonly string[]): ScheduleView {
  const { wakeup, prompt, nextAt, lastFiredAt } = schedule;
  const target = parseTarget(schedule.target);
  return {
    target: target.ok ? formatTarget(target.value) : schedule.target,
    wakeup: wakeup.kind === "interval" ? formatDuration(wakeup.everyMs) : wakeup.expression,
    timeZone: wakeup.kind === "interval" ? null : wakeup.timeZone,
    prompt,
    agents: [...agents],
    nextAt: new Date(nextAt).toISOString(),
    lastFiredAt: lastFiredAt === null ? null : new Date(lastFiredAt).toISOString(),
  };
}
