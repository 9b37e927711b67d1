import { z } from "zod";
import { chargeTurn, newTree } from "../../domain/causal/budget.ts";
import { pickNext } from "../../domain/delivery/aging.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import { transition } from "../../domain/delivery/state.ts";
import { laneAt, waiting } from "../../domain/delivery/waiting.ts";
import type { CurrentAgent } from "../../guard/identity/find-definition.ts";
import { ok } from "../../kernel/result.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import { NOT_WAITING, type DefinitionSource, type RunRecord } from "../../ports/store/run.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { makeDeadLetters } from "../dead-letters/dead-letter.ts";
import { announceChainStop, chainLimits } from "../messages/chain-budget.ts";
import { findBudgetStop, stopForBudget } from "./budget-stop.ts";
import { providerHold } from "../troubles/provider-hold.ts";
import { findReadyAgent } from "./ready-agent.ts";
import { stopRun } from "./stop-run.ts";
import { announceResumed } from "./wait-run.ts";

export interface BegunRun {
  readonly run: RunRecord;
  /** What the agent is. The run keeps it until it ends or yields, whatever becomes of its files. */
  readonly agent: CurrentAgent;
  readonly deliveries: readonly DeliveryRecord[];
  /** Number of the last finished step; 0 for a run that starts. */
  readonly finishedSteps: number;
}

export interface NextWork {
  readonly begun: BegunRun | null;
  /** When no run has begun: the time the next delivery is due, if there is one. */
  readonly nextDue: number | null;
  /** No run has begun, because a person stopped the agent. */
  readonly stopped?: true;
  /** No run has begun, because files changed: the caller reads them and asks again. */
  readonly outdated?: true;
  /** No run has begun, because the mailbox has an open one, perhaps on another node. */
  readonly busy?: Pick<RunRecord, "id" | "leaseOwner">;
}

/**
 * Leases the most urgent delivery of a mailbox, with its siblings of the same space, and stores the run that will answer
 * them, before anything is executed. A delivery of a parked run resumes that run instead. It is one transaction: there
 * is never a lease without a run. It looks at the files of the agent first, so that the run is what they say now.
 */
export const beginRun = proposal(
  {
    name: "begin-run",
    summary: "Lease the next work of a mailbox and open or resume the run for it.",
    input: z.object({
      mailbox: z.string(),
      leaseOwner: z.string(),
      batch: z.int().min(1).default(20),
      /** The caller has just read the definitions. */
      refreshed: z.boolean().default(false),
    }),
    output: z.custom<NextWork>(),
  },
  {
    access: systemOnly,

    async execute({ mailbox, leaseOwner, batch, refreshed }, ctx) {
      // What does not depend on each other is asked at once: a server is far away, and all others wait meanwhile.
      const [open, stop, first] = await Promise.all([
        ctx.store.runs.openOf(mailbox),
        ctx.store.stops.ofMailbox(mailbox),
        ctx.store.deliveries.heads(mailbox, ctx.now),
      ]);
      if (open !== undefined) return ok(busyWith(open, leaseOwner, ctx.now));
      /** Where the agent can do nothing now. */
      const blocked = new Set<string>();
      let lookAgainAt: number | null = null;
      for (let known: typeof first | null = first; ; known = null) {
        const heads = known ?? (await ctx.store.deliveries.heads(mailbox, ctx.now, blocked));
        const next = pickNext(heads.map(waiting), ctx.now)?.delivery;
        if (next === undefined) {
          const nextDue = await ctx.store.deliveries.nextDue(mailbox, ctx.now);
          return ok({ begun: null, nextDue: least(nextDue, lookAgainAt) });
        }
        if (stop !== undefined) return ok({ begun: null, nextDue: null, stopped: true });
        const readiness = await findReadyAgent(ctx, next, refreshed);
        if (readiness.kind === "outdated") return ok({ begun: null, nextDue: null, outdated: true });
        if (readiness.kind === "settled") continue;
        if (readiness.kind === "waits") {
          blocked.add(next.space);
          lookAgainAt = least(lookAgainAt, readiness.until);
          continue;
        }
        const { agent, source } = readiness;
        const [hold, message, pending] = await Promise.all([
          providerHold(ctx.store, mailbox, ctx.now, source.fingerprint),
          ctx.store.messages.byId(next.message),
          ctx.store.deliveries.pending({ mailbox, space: next.space, now: ctx.now, limit: batch }),
        ]);
        if (hold !== undefined) {
          blocked.add(next.space);
          lookAgainAt = least(lookAgainAt, hold.until);
          continue;
        }
        const parked = next.run === null ? undefined : await ctx.store.runs.byId(next.run);
        if (parked !== undefined && parked.state !== "ended") {
          // A budget may have been used up while it was parked: the run would be stopped after its next step.
          if ((await stopRun(ctx, parked, 0)) !== null) continue;
          return ok({ begun: await resume(ctx, parked, agent, laneAt(next, ctx.now), leaseOwner), nextDue: null });
        }
        const root = await charge(ctx, next, message?.root ?? next.message);
        if (root === null) continue;
        const siblings = next.awaited ? [] : pending.filter((each) => joins(each, next)).slice(0, batch - 1);
        const run = await openRun(ctx, next, siblings, root, leaseOwner, source);
        return ok({ begun: { ...run, agent }, nextDue: null });
      }
    },
  },
);

/** Whether a delivery is answered together with another. One whose sender waits for the answer has a run of its own. */
function joins({ id, agent, run, awaited }: DeliveryRecord, next: DeliveryRecord): boolean {
  return id !== next.id && agent === next.agent && run === null && !awaited;
}

function least(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** A run of another node wakes the mailbox when it ends. One of this node is about to be put aside. */
function busyWith({ id, leaseOwner }: RunRecord, asking: string, now: number): NextWork {
  const nextDue = leaseOwner === asking ? now + LOOK_AGAIN_MS : null;
  return { begun: null, nextDue, busy: { id, leaseOwner } };
}

const LOOK_AGAIN_MS = 200;

async function openRun(
  ctx: Execute,
  next: DeliveryRecord,
  siblings: readonly DeliveryRecord[],
  root: string,
  leaseOwner: string,
  definition: DefinitionSource,
): Promise<Omit<BegunRun, "agent">> {
  const { mailbox, agent, space } = next;
  const run: RunRecord = {
    id: ctx.newId("run"),
    mailbox,
    agent,
    space,
    lane: laneAt(next, ctx.now),
    state: "open",
    leaseOwner,
    fence: 1,
    cause: next.message,
    root,
    spoke: false,
    recoveries: 0,
    model: null,
    startedAt: ctx.now,
    endedAt: null,
    outcome: null,
    detail: null,
    ...NOT_WAITING,
    definition,
  };
  await ctx.store.runs.open(run);
  const deliveries = await lease(ctx, [next, ...siblings], run.id, leaseOwner);
  await ctx.emit({ type: "run.started", space, agent, run: run.id });
  return { run, deliveries, finishedSteps: 0 };
}

async function resume(
  ctx: Execute,
  parked: RunRecord,
  agent: CurrentAgent,
  lane: Lane,
  leaseOwner: string,
): Promise<BegunRun> {
  const run: RunRecord = {
    ...parked,
    ...NOT_WAITING,
    waitsSince: ctx.now,
    state: "open",
    lane,
    leaseOwner,
    fence: parked.fence + 1,
  };
  await ctx.store.runs.move(run.id, run);
  if (parked.waitsFor !== null) await announceResumed(ctx, run);
  const waitingAgain = (await ctx.store.deliveries.ofRun(run.id)).filter(({ state }) => state.status === "pending");
  const deliveries = await lease(ctx, waitingAgain, run.id, leaseOwner);
  const last = await ctx.store.runs.lastStep(run.id);
  return { run, agent, deliveries, finishedSteps: last?.number ?? 0 };
}

async function lease(
  ctx: Execute,
  deliveries: readonly DeliveryRecord[],
  run: string,
  leaseOwner: string,
): Promise<DeliveryRecord[]> {
  const leased = deliveries.flatMap((delivery): DeliveryRecord[] => {
    const next = transition(delivery.state, { kind: "lease" });
    return next.ok ? [{ ...delivery, state: next.value, leaseOwner, run }] : [];
  });
  const from = { status: "pending", leaseOwner: null } as const;
  await Promise.all(leased.map(({ id, state }) => ctx.store.deliveries.advance(id, from, { state, leaseOwner, run })));
  return leased;
}

/**
 * Charges one turn to the chain, the agent and the workspace. Returns the root of the chain; null when no turn is left
 * and the delivery became a dead letter.
 */
async function charge(ctx: Execute, delivery: DeliveryRecord, root: string): Promise<string | null> {
  const { mailbox, agent, space } = delivery;
  const work = { mailbox, agent, space, run: null };
  const stop = await findBudgetStop(ctx, work);
  if (stop !== null) {
    await stopForBudget(ctx, work, [delivery], stop);
    return null;
  }
  const before = (await ctx.store.causal.tree(root)) ?? newTree(root);
  const { tree, tripped } = chargeTurn(before, ctx.now, await chainLimits(ctx, space));
  if (tree !== before) await ctx.store.causal.save(tree);
  if (tripped === null) return root;
  await makeDeadLetters(ctx, [delivery], tripped.reason, "incomplete");
  if (before.tripped === null) await announceChainStop(ctx, spaceTarget(space), root, tripped.reason);
  return null;
}
