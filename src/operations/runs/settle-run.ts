import { z } from "zod";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import type { AnswerCut } from "../../domain/message/answer-cut.ts";
import { decideRetry, type RetryDecision } from "../../domain/delivery/retry.ts";
import { transition, type DeliveryInput } from "../../domain/delivery/state.ts";
import type { WaitKind } from "../../domain/outcome.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import { ok } from "../../kernel/result.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { chargeStepToChain } from "../messages/chain-budget.ts";
import { postMessage } from "../messages/post-message.ts";
import { postNotice } from "../messages/post-notice.ts";
import { endRun } from "./end-run.ts";
import { failRun } from "./fail-run.ts";
import { finishedStep, leasedRun, leasedRunInput } from "./leased-run.ts";
import { recordStep } from "./record-step.ts";
import { waitRun } from "./wait-run.ts";
import { parkRun } from "./yield-run.ts";

const runResult = z.discriminatedUnion("kind", [
  /**
   * `limit`: what ended the run before it was complete. Its text is posted, and the run is incomplete. A text that the
   * model could not finish (`length`, `filter`) says so itself.
   */
  z.object({
    kind: z.literal("done"),
    text: z.string(),
    limit: z.enum(["max_steps", "length", "filter"]).nullable().default(null),
  }),
  z.object({
    kind: z.literal("failed"),
    class: z.enum(["transient", "quota", "scarcity", "permanent", "crash"]),
    message: z.string(),
    retryAfterMs: z.number().optional(),
    resetAtMs: z.number().optional(),
  }),
]);

const settlement = leasedRunInput.extend({ result: runResult, step: finishedStep.optional() });
export type Settlement = z.input<typeof settlement>;

const settled = z.object({
  outcome: z.enum(["answered", "silent", "incomplete", "failed", "retry"]),
  /** When a parked run may resume. */
  resumeAt: z.number().nullable(),
  /** True when the mailbox has pending deliveries. If not, its loop can wait until it is woken. */
  more: z.boolean(),
});
type Ending = Omit<z.output<typeof settled>, "more">;

const FAILED: Ending = { outcome: "failed", resumeAt: null };

/**
 * Ends a run, with its last step if it finished one. The reply and the acknowledgements are one transaction: both are
 * stored or neither. A failure that can be retried parks the run; after the last attempt its deliveries become dead
 * letters and their senders are notified.
 */
export const settleRun = proposal(
  {
    name: "settle-run",
    summary: "End a run: post its reply and acknowledge its deliveries, or decide on its failure.",
    input: settlement,
    output: settled,
  },
  {
    access: systemOnly,

    async execute({ run: id, leaseOwner, fence, result, step }, ctx) {
      const leased = await leasedRun(ctx.store, { run: id, leaseOwner, fence });
      if (!leased.ok) return leased;
      // A finished step is progress: earlier recoveries do not count any more.
      const run = step === undefined ? leased.value : { ...leased.value, recoveries: 0 };
      const tokens = step === undefined ? 0 : await recordStep(ctx, run, step);
      const ending = (await isStopped(ctx, run)) ? await putAside(ctx, run) : await settle(ctx, run, result, tokens);
      return ok({ ...ending, more: await ctx.store.deliveries.hasPending(run.mailbox) });
    },
  },
);

/** Whether a person stopped the workspace while the run was executed. */
async function isStopped(ctx: Execute, { space }: RunRecord): Promise<boolean> {
  return (await ctx.store.workspaces.status(workspaceOf(space)))?.state === "closed";
}

/** Nothing is posted into a workspace that is stopped. The run goes on where it was when the workspace goes on. */
async function putAside(ctx: Execute, run: RunRecord): Promise<Ending> {
  await parkRun(ctx, run, await ctx.store.deliveries.ofRun(run.id));
  return { outcome: "retry", resumeAt: null };
}

async function settle(
  ctx: Execute,
  run: RunRecord,
  result: z.output<typeof runResult>,
  tokens: number,
): Promise<Ending> {
  const deliveries = (await ctx.store.deliveries.ofRun(run.id)).filter(({ state }) => state.status === "leased");
  if (result.kind === "done") return complete(ctx, run, deliveries, { ...result, tokens });

  const reason = ctx.services.redact(result.message);
  if (deliveries.length === 0) {
    // The agent acknowledged them all before it failed: nothing would resume the run.
    await endRun(ctx, run, "failed", reason);
    return FAILED;
  }
  const attempts = Math.max(0, ...deliveries.map(({ state }) => state.attempts));
  const { retryAfterMs, resetAtMs } = result;
  const decision = decideRetry({
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(resetAtMs === undefined ? {} : { resetAtMs }),
    class: result.class,
    attempts,
    nowMs: ctx.now,
    random: ctx.random,
  });
  if (decision.action !== "dead") return retry(ctx, run, deliveries, decision, { waitsFor: waitKind(result), reason });
  await failRun(ctx, run, deliveries, reason);
  return FAILED;
}

/** A provider that names a time is not asked before it; other attempts are made as this program sees fit. */
function waitKind({
  class: kind,
  retryAfterMs = 0,
}: Extract<z.output<typeof runResult>, { kind: "failed" }>): WaitKind {
  if (kind === "quota") return "quota";
  return kind === "transient" && retryAfterMs > 0 ? "provider" : "retry";
}

async function complete(
  ctx: Execute,
  run: RunRecord,
  deliveries: readonly DeliveryRecord[],
  { text, limit, tokens }: { readonly text: string; readonly limit: Limit | null; readonly tokens: number },
): Promise<Ending> {
  const silent = text.trim() === "" && !run.spoke;
  const [replied] = await Promise.all([
    text.trim() !== "" && !run.spoke ? reply(ctx, run, text, tokens) : false,
    ...deliveries.map((delivery) => move(ctx, delivery, { kind: "succeed" }, run.id)),
  ]);
  if (!replied && tokens > 0) await chargeStepToChain(ctx, run, tokens, { ahead: false, announce: true });
  const reason = limit === null ? null : limitReason(run, limit);
  if (reason !== null && (limit === "max_steps" || !replied)) await postNotice(ctx, spaceTarget(run.space), reason);
  const outcome = reason !== null ? "incomplete" : silent ? "silent" : "answered";
  await endRun(ctx, run, outcome, text === "" ? null : ctx.services.redact(text), reason);
  return { outcome, resumeAt: null };
}

type Limit = "max_steps" | AnswerCut;

function limitReason({ agent }: RunRecord, limit: Limit): string {
  switch (limit) {
    case "max_steps":
      return `${agent} has taken as many steps as it may (max_steps) and stopped before it was finished.`;
    case "length":
      return `The answer of ${agent} is cut off: the model reached the length that it may have (max_tokens).`;
    case "filter":
      return `The answer of ${agent} is not whole: the provider's content filter withheld it.`;
  }
}

/**
 * Posts the reply in the space of the run; if that is closed or has no channel, in the workspace or in direct messages.
 * Its tokens are charged with it.
 */
async function reply(ctx: Execute, run: RunRecord, text: string, tokens: number): Promise<boolean> {
  const post = { kind: "message", body: text, cause: run.cause, run: run.id, tokens } as const;
  for (const space of new Set([run.space, workspaceOf(run.space)])) {
    if ((await postMessage(ctx, { ...post, sender: run.agent, target: spaceTarget(space) })).ok) return true;
  }
  // There it has its own name: a message of anybody else would wake it.
  const agent = mailboxAgent(run.mailbox);
  return (await postMessage(ctx, { ...post, sender: agent, target: { kind: "dm", agent } })).ok;
}

async function retry(
  ctx: Execute,
  run: RunRecord,
  deliveries: readonly DeliveryRecord[],
  decision: Exclude<RetryDecision, { action: "dead" }>,
  wait: { readonly waitsFor: WaitKind; readonly reason: string },
): Promise<Ending> {
  const resumeAt = decision.action === "retry" ? decision.notBefore : decision.until;
  const input: DeliveryInput =
    decision.action === "retry" ? { kind: "retry", notBefore: resumeAt } : { kind: "park", until: resumeAt };
  for (const delivery of deliveries) await move(ctx, delivery, input, run.id);
  await waitRun(ctx, run, { ...wait, state: "parked", waitsUntil: resumeAt });
  return { outcome: "retry", resumeAt };
}

async function move(ctx: Execute, delivery: DeliveryRecord, input: DeliveryInput, run: string | null): Promise<void> {
  const next = transition(delivery.state, input);
  if (!next.ok) throw new Error(`${delivery.id}: ${next.error.message}`);
  const from = { status: delivery.state.status, leaseOwner: delivery.leaseOwner };
  await ctx.store.deliveries.advance(delivery.id, from, { state: next.value, leaseOwner: null, run });
}
