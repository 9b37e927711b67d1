import { z } from "zod";
import { SYSTEM } from "../../domain/message/message.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { targetSpace } from "../../domain/message/target.ts";
import { fireDecision, nextFire } from "../../domain/schedule/schedule.ts";
import { ok } from "../../kernel/result.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { postMessage } from "../messages/post-message.ts";
import { contentId } from "../resources/content-id.ts";
import { scheduleWakes, type Recipient, type ScheduleWakes } from "./schedule-wakes.ts";

const DEFAULT_PROMPT =
  "You were woken by your schedule. Look for what needs to be done; if there is nothing, say nothing.";
const MAX_COMPARED = 500;

/**
 * Wakes the agents whose schedule is due. The next time is stored in the same transaction as the prompt, so a schedule
 * fires once for all the times it missed, even after crashes. An interval counts from the last activity of the agent,
 * and has always the same length.
 */
export const fireSchedules = proposal(
  {
    name: "fire-schedules",
    summary: "Wake the agents whose schedule is due.",
    input: z.object({}),
    output: z.object({ fired: z.array(z.string()), next: z.number().nullable() }),
  },
  {
    access: systemOnly,

    async execute(_data, ctx) {
      const schedules = await ctx.store.schedules.list();
      const fired: string[] = [];
      let next: number | null = null;
      for (const schedule of schedules) {
        const nextAt = await fireIfDue(ctx, schedule, schedules, fired);
        if (nextAt !== null) next = Math.min(next ?? Infinity, nextAt);
      }
      return ok({ fired, next });
    },
  },
);

/** Returns when the schedule is due next; null when it was cleared or rests. */
async function fireIfDue(
  ctx: Execute,
  schedule: ScheduleRecord,
  schedules: readonly ScheduleRecord[],
  fired: string[],
): Promise<number | null> {
  const wakes = await scheduleWakes(ctx.store, ctx.services.definitions, schedule, schedules);
  if (wakes.rests !== null) return skipWhileResting(ctx, schedule);
  const { wakeup } = schedule;
  const due = await dueTime(ctx, schedule, wakes);
  const { fire, next } = fireDecision({ wakeup, nextAt: due, nowMs: ctx.now });
  if (fire) {
    for (const recipient of wakes.recipients) await postPrompt(ctx, recipient, schedule);
    fired.push(schedule.target);
  }
  if (next === null) await ctx.store.schedules.clear(schedule.target);
  else if (fire || next !== schedule.nextAt) {
    await ctx.store.schedules.set({ ...schedule, nextAt: next, lastFiredAt: fire ? ctx.now : schedule.lastFiredAt });
  }
  return next;
}

/** The times that pass while a schedule rests are not missed: it does not fire for them afterwards. */
async function skipWhileResting(ctx: Execute, schedule: ScheduleRecord): Promise<null> {
  const next = schedule.nextAt <= ctx.now ? nextFire(schedule.wakeup, { nowMs: ctx.now }) : schedule.nextAt;
  if (next !== null && next !== schedule.nextAt) await ctx.store.schedules.set({ ...schedule, nextAt: next });
  return null;
}

/** Returns when the schedule is due: for an interval, counted from the last activity. */
async function dueTime(
  ctx: Execute,
  schedule: ScheduleRecord,
  { recipients, openedAt }: ScheduleWakes,
): Promise<number | null> {
  const { wakeup } = schedule;
  if (wakeup.kind === "cron") return schedule.nextAt;
  let lastActivityMs = Math.max(schedule.createdAt, openedAt);
  for (const { mailbox } of recipients) {
    lastActivityMs = Math.max(lastActivityMs, (await ctx.store.runs.lastActive(mailbox)) ?? 0);
  }
  const history = { nowMs: ctx.now, lastActivityMs };
  return nextFire(wakeup, schedule.lastFiredAt === null ? history : { ...history, lastFiredMs: schedule.lastFiredAt });
}

/** Posts nothing while the same prompt is still pending. */
export async function postPrompt(
  ctx: Execute,
  { target, mailbox }: Recipient,
  { prompt }: ScheduleRecord,
): Promise<void> {
  const body = prompt ?? DEFAULT_PROMPT;
  const space = formatSpace(targetSpace(target));
  const waiting = await ctx.store.deliveries.inbox({ mailbox, space, limit: MAX_COMPARED });
  const isSame = ({ kind, body: text, resource }: MessageRecord): boolean =>
    kind === "prompt" && (resource === null ? text === body : resource === contentId(body));
  if (waiting.some(({ delivery, message }) => delivery.state.status === "pending" && isSame(message))) return;
  await postMessage(ctx, { target, sender: SYSTEM, kind: "prompt", body });
}
