import { z } from "zod";

/** Schedules as every face shows them. */
export const scheduleView = z.object({
  /** `alice`, `alice@review` or `@review`. */
  target: z.string(),
  /** An interval such as "5m", or a cron expression. */
  wakeup: z.string(),
  /** Of a cron expression; null = the time zone of the machine. */
  timeZone: z.string().nullable(),
  prompt: z.string().nullable(),
  /** Agents it wakes: for a workspace, those that have no schedule of their own. */
  agents: z.array(z.string()),
  nextAt: z.iso.datetime(),
  lastFiredAt: z.iso.datetime().nullable(),
});
export type ScheduleView = z.output<typeof scheduleView>;
