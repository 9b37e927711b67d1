import { z } from "zod";
import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import { SYSTEM, type Space } from "../../domain/message/message.ts";
import { formatSpace, parseSpace } from "../../domain/message/space.ts";
import { targetSpace, type Target } from "../../domain/message/target.ts";
import { backOffAfterNothing, fireDecision, nextFire, type Wakeup } from "../../domain/schedule/schedule.ts";
import { wakeSpace } from "../../domain/schedule/wake-space.ts";
import { ok } from "../../kernel/result.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { postMessage } from "../messages/post-message.ts";
import { contentId } from "../resources/content-id.ts";
import { DEFINED, parseScheduleTarget, scheduleRecipients } from "./schedule-target.ts";

const DEFAULT_PROMPT =
  "You were woken by your schedule. Look for what needs to be done; if there is nothing, say nothing.";
/** More runs would not lengthen the interval any more. */
const REMEMBERED_RUNS = 5;
const MAX_COMPARED = 500;

/**
 * Wakes the agents whose schedule is due. The next time is stored in the same transaction as the prompt, so a schedule
 * fires once for all the times it missed, even after crashes. An interval counts from the last activity of the agent,
 * and grows while the agent finds nothing to do.
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

/** Returns when the schedule is due next; null when it was cleared. */
async function fireIfDue(
  ctx: Execute,
  schedule: ScheduleRecord,
  schedules: readonly ScheduleRecord[],
  fired: string[],
): Promise<number | null> {
  const recipients = await recipientsOf(ctx, schedule, schedules);
  const wakeup = await backedOff(ctx, schedule.wakeup, recipients);
  const due = await dueTime(ctx, wakeup, schedule, recipients);
  const { fire, next } = fireDecision({ wakeup, nextAt: due, nowMs: ctx.now });
  if (fire) {
    for (const recipient of recipients) await postPrompt(ctx, recipient, schedule.prompt ?? DEFAULT_PROMPT);
    fired.push(schedule.target);
  }
  if (next === null) await ctx.store.schedules.clear(schedule.target);
  else if (fire || next !== schedule.nextAt) {
    await ctx.store.schedules.set({ ...schedule, nextAt: next, lastFiredAt: fire ? ctx.now : schedule.lastFiredAt });
  }
  return next;
}

interface Recipient {
  readonly target: Target;
  readonly mailbox: string;
}

async function recipientsOf(
  ctx: Execute,
  schedule: ScheduleRecord,
  schedules: readonly ScheduleRecord[],
): Promise<Recipient[]> {
  const parsed = parseScheduleTarget(schedule.target);
  if (!parsed.ok) return [];
  const recipients: Recipient[] = [];
  for (const agent of await scheduleRecipients(ctx.store, ctx.services.definitions, schedule, schedules)) {
    const target = schedule.createdBy === DEFINED ? await definedTarget(ctx, parsed.value.target) : parsed.value.target;
    const space = formatSpace(targetSpace(target));
    const member = target.kind === "dm" ? undefined : await ctx.store.workspaces.member(space, agent);
    const running = member !== undefined && (await ctx.store.workspaces.status(space))?.state === "open";
    // When the workspace is not running, the agent is woken in its direct messages.
    if (target.kind !== "dm" && running) {
      recipients.push({ target: { ...target, kind: "agent", agent }, mailbox: mailboxOf(agent, member.ref, space) });
    } else if (ctx.services.definitions.agent(agent) !== undefined) {
      recipients.push({ target: { kind: "dm", agent }, mailbox: agent });
    }
  }
  return recipients;
}

/** The schedule of a definition may name a workflow: any running workspace of it that the agent takes part in. */
async function definedTarget(ctx: Execute, target: Target): Promise<Target> {
  if (target.kind !== "dm") return target;
  const { agent } = target;
  const workspace = ctx.services.definitions.agent(agent)?.schedule?.workspace;
  const running: Space[] = [];
  for (const key of workspace === undefined ? [] : await ctx.store.workspaces.workspacesOf(agent)) {
    const space = parseSpace(key);
    if (space.ok && (await ctx.store.workspaces.member(key, agent))?.ref === agent) running.push(space.value);
  }
  const place = wakeSpace(agent, workspace, running);
  return place.kind === "dm" ? place : { ...place, kind: "agent", agent };
}

async function backedOff(ctx: Execute, wakeup: Wakeup, recipients: readonly Recipient[]): Promise<Wakeup> {
  if (wakeup.kind === "cron") return wakeup;
  let silentRuns = REMEMBERED_RUNS;
  for (const { mailbox } of recipients) {
    const runs = await ctx.store.history.list({ mailbox, limit: REMEMBERED_RUNS });
    const busy = runs.findIndex(({ outcome }) => outcome !== "silent");
    silentRuns = Math.min(silentRuns, busy === -1 ? runs.length : busy);
  }
  return { kind: "interval", everyMs: backOffAfterNothing(recipients.length === 0 ? 0 : silentRuns, wakeup.everyMs) };
}

/** Returns when the schedule is due: for an interval, counted from the last activity. */
async function dueTime(
  ctx: Execute,
  wakeup: Wakeup,
  schedule: ScheduleRecord,
  recipients: readonly Recipient[],
): Promise<number | null> {
  if (wakeup.kind === "cron") return schedule.nextAt;
  let lastActivityMs = schedule.createdAt;
  for (const { mailbox } of recipients) {
    lastActivityMs = Math.max(lastActivityMs, (await ctx.store.runs.lastActive(mailbox)) ?? 0);
  }
  const history = { nowMs: ctx.now, lastActivityMs };
  return nextFire(wakeup, schedule.lastFiredAt === null ? history : { ...history, lastFiredMs: schedule.lastFiredAt });
}

/** Posts nothing while the same prompt is still pending. */
async function postPrompt(ctx: Execute, { target, mailbox }: Recipient, body: string): Promise<void> {
  const space = formatSpace(targetSpace(target));
  const waiting = await ctx.store.deliveries.inbox({ mailbox, space, limit: MAX_COMPARED });
  const isSame = ({ kind, body: text, resource }: MessageRecord): boolean =>
    kind === "prompt" && (resource === null ? text === body : resource === contentId(body));
  if (waiting.some(({ delivery, message }) => delivery.state.status === "pending" && isSame(message))) return;
  await postMessage(ctx, { target, sender: SYSTEM, kind: "prompt", body });
}
