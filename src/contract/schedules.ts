import { z } from "zod";
import { declareProposal, declareQuery } from "./operation.ts";

export const scheduleView = z.object({
  /** `alice`, `alice@review` or `@review`. */
  target: z.string(),
  /** An interval such as "5m", or a cron expression. */
  wakeup: z.string(),
  /** The time zone of a cron expression. Null for that of the machine. */
  timeZone: z.string().nullable(),
  prompt: z.string().nullable(),
  /** The agents it wakes; for a workspace, those without their own schedule. */
  agents: z.array(z.string()),
  /** `resting`: it wakes nobody, for example because its workspace is not running; `reason` says why. */
  state: z.enum(["waiting", "resting"]),
  reason: z.string().nullable(),
  /** A person paused it. It rests until it is resumed. */
  paused: z.boolean(),
  /** It is written in a definition file, and can be changed only there. */
  defined: z.boolean(),
  /** Null while it rests. */
  nextAt: z.iso.datetime().nullable(),
  lastFiredAt: z.iso.datetime().nullable(),
});
export type ScheduleView = z.output<typeof scheduleView>;

const MAX_PROMPT_CHARS = 64 * 1024;

export const listSchedules = declareQuery({
  name: "list-schedules",
  summary: "List the schedules: whom they wake, by which rule, when next, and which rest.",
  method: "GET",
  path: "/schedules",
  personTool: "schedule_list",
  input: z.object({ target: z.string().optional().describe("Only the schedule of this target.") }),
  output: z.object({ schedules: z.array(scheduleView) }),
});

export const setSchedule = declareProposal({
  name: "set-schedule",
  summary: "Wake an agent, or every agent of a workspace that has no schedule of its own, at times, without a message.",
  method: "PUT",
  path: "/schedules/:target",
  personTool: "schedule_set",
  input: z.object({
    target: z.string().describe("alice, alice@review, or @review for its agents by default"),
    wakeup: z.string().describe('An interval such as "5m", or a cron expression such as "0 9 * * 1-5"'),
    prompt: z.string().max(MAX_PROMPT_CHARS, "the prompt is too long").optional(),
    timeZone: z.string().optional().describe("Time zone of a cron expression, such as Europe/Berlin"),
  }),
  output: scheduleView,
});

export const clearSchedule = declareProposal({
  name: "clear-schedule",
  summary: "Take a schedule away: it does not wake anybody any more.",
  method: "DELETE",
  path: "/schedules/:target",
  personTool: "schedule_clear",
  input: z.object({ target: z.string() }),
  output: z.object({ target: z.string() }),
});

/** One time that a schedule woke somebody. */
export const scheduleFiringView = z.object({
  at: z.iso.datetime(),
  agent: z.string(),
  /** Where it was woken: the name of the agent for direct messages. */
  space: z.string(),
  message: z.string(),
  /** Of the delivery: what became of it. */
  state: z.enum(["pending", "leased", "acked", "dead"]),
  /** The run that answered it, or does; null before. */
  run: z.string().nullable(),
});
export type ScheduleFiringView = z.output<typeof scheduleFiringView>;

const MAX_FIRINGS = 100;

export const pauseSchedule = declareProposal({
  name: "pause-schedule",
  summary: "Pause a schedule, also one of a definition: it wakes nobody until it is resumed.",
  method: "POST",
  path: "/schedules/:target/pause",
  input: z.object({ target: z.string() }),
  output: scheduleView,
});

export const resumeSchedule = declareProposal({
  name: "resume-schedule",
  summary: "Let a paused schedule wake again. The times that passed meanwhile are not made up for.",
  method: "POST",
  path: "/schedules/:target/resume",
  input: z.object({ target: z.string() }),
  output: scheduleView,
});

export const runSchedule = declareProposal({
  name: "run-schedule",
  summary: "Wake now whom a schedule wakes, once, besides its times.",
  method: "POST",
  path: "/schedules/:target/run",
  input: z.object({ target: z.string() }),
  output: z.object({ target: z.string(), woken: z.array(z.string()) }),
});

export const listScheduleFirings = declareQuery({
  name: "list-schedule-firings",
  summary: "List the last times that a schedule woke somebody, newest first, with what became of it.",
  method: "GET",
  path: "/schedules/:target/firings",
  input: z.object({ target: z.string(), limit: z.int().min(1).max(MAX_FIRINGS).default(20) }),
  output: z.object({ target: z.string(), firings: z.array(scheduleFiringView) }),
});
