import type { Budget } from "../../domain/agent/definition.ts";
import { isLimited, reachedLimit, type Scope } from "../../domain/budget/allowance.ts";
import { utcDay } from "../../domain/budget/day.ts";
import type { UsageTotal } from "../../domain/budget/usage.ts";
import { PERSON, SYSTEM } from "../../domain/message/message.ts";
import { spaceWords } from "../../domain/message/space-words.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { StepQuery } from "../../ports/store/usage.ts";
import type { Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { makeDeadLetters } from "../dead-letters/dead-letter.ts";
import { postNotice } from "../messages/post-notice.ts";
import { effectiveBudgets } from "./effective-budgets.ts";
import { priceSteps } from "../usage/price-steps.ts";
import { openedAtOf } from "./record-step.ts";

/** Why no run or step may start. Stops with the same `occasion` are announced once. */
export interface BudgetStop {
  readonly reason: string;
  readonly occasion: string;
}

export interface Work {
  readonly mailbox: string;
  readonly agent: string;
  readonly space: string;
  /** The run whose next step is to start; null when a run is to be opened. */
  readonly run: string | null;
  /** The budget of the agent when the run began, for the case that its files define no such agent any more. */
  readonly budgetAtStart?: Budget | undefined;
}

/** Returns the first budget that is used up, or null. Reads no usage where no limit is set. */
export async function findBudgetStop(ctx: Execute, work: Work): Promise<BudgetStop | null> {
  const { store, services, now } = ctx;
  const { mailbox, agent: name, space, run } = work;
  const { agent: ofAgent, workspace: ofWorkspace } = await effectiveBudgets(store, services.definitions, work);

  if (isLimited(ofWorkspace, "workspace")) {
    const whole = workspaceOf(space);
    const openedAt = await openedAtOf(store, whole);
    const read = () => store.usage.sinceOpening(whole, openedAt);
    const spent = await spentBy(ctx, ofWorkspace, read, { space: whole, since: openedAt });
    const limit = await reached(ctx, ofWorkspace, "workspace", spent, work);
    if (limit !== null)
      return stop(`The budget of ${spaceWords(whole)} is used up: ${limit}.`, `${space} ${openedAt} ${limit}`);
  }
  if (isLimited(ofAgent, "agent-day")) {
    const day = utcDay(now);
    const since = Date.parse(`${day}T00:00:00Z`);
    const spent = await spentBy(ctx, ofAgent, () => store.usage.ofDay(mailbox, day), { mailbox, since });
    const limit = await reached(ctx, ofAgent, "agent-day", spent, work);
    if (limit !== null) {
      return stop(
        `The budget of ${name} for ${day} (UTC) is used up: ${limit}.`,
        `${mailbox} ${day} ${limit} ${space}`,
      );
    }
  }
  if (run !== null && isLimited(ofAgent, "run")) {
    const spent = await spentBy(ctx, ofAgent, () => store.runs.usage({ run }), { run });
    const limit = await reached(ctx, ofAgent, "run", spent, work);
    if (limit !== null) return stop(`The budget of ${name} for one run is used up: ${limit}.`, `${run} ${limit}`);
  }
  return null;
}

function stop(reason: string, occasion: string): BudgetStop {
  return { reason, occasion: `budget ${occasion}` };
}

/** Returns what was used. A cost that could not be known then is known when its model has a price by now. */
async function spentBy(
  ctx: Execute,
  { costUsd }: Budget,
  read: () => Promise<UsageTotal>,
  steps: StepQuery,
): Promise<UsageTotal> {
  const spent = await read();
  if (costUsd === undefined || spent.unknownCostSteps === 0) return spent;
  return (await priceSteps(ctx, steps)) ? read() : spent;
}

/** Counts runs without a finished step as turns too: else agents woken at the same time could all get the last turn. */
async function reached(
  { store }: Execute,
  budget: Budget,
  scope: Scope,
  spent: UsageTotal,
  { mailbox, space, run }: Work,
): Promise<string | null> {
  if (run !== null || budget.turns === undefined)
    return reachedLimit(budget, scope, spent, run === null ? "run" : "step");
  const starting = await store.runs.countStarting(scope === "workspace" ? { space } : { mailbox });
  return reachedLimit(budget, scope, { ...spent, runs: spent.runs + starting }, "run");
}

/**
 * Makes dead letters of the deliveries; a person can retry them after raising the budget. The first stop of an occasion
 * is announced once, a later one only to persons whose messages are affected.
 */
export async function stopForBudget(
  ctx: Execute,
  { agent, space }: Work,
  deliveries: readonly DeliveryRecord[],
  { reason, occasion }: BudgetStop,
): Promise<void> {
  await makeDeadLetters(ctx, deliveries, reason, "incomplete");
  const target = spaceTarget(space);
  const advice = "Raise it in the file that sets it, then retry the dead letters.";
  if ((await ctx.store.messages.byIdempotencyKey(SYSTEM, occasion)) === undefined) {
    await ctx.emit({ type: "budget.reached", space, agent, reason });
    await postNotice(ctx, target, `${reason} ${advice}`, occasion);
    return;
  }
  for (const { message } of deliveries) {
    const posted = await ctx.store.messages.byId(message);
    if (posted?.sender !== PERSON) continue;
    await postNotice(ctx, target, `${agent} could not answer ${message}: ${reason}`);
  }
}
