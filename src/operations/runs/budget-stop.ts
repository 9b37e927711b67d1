import { isLimited, reachedLimit, type Scope } from "../../domain/budget/allowance.ts";
import { utcDay } from "../../domain/budget/day.ts";
import type { UsageTotal } from "../../domain/budget/usage.ts";
import type { Budget } from "../../domain/agent/definition.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import { PERSON, SYSTEM } from "../../domain/message/message.ts";
import { displaySpace, parseSpace } from "../../domain/message/space.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { Execute } from "../core/define.ts";
import { effectiveBudgets } from "./effective-budgets.ts";
import { makeDeadLetters } from "../dead-letters/dead-letter.ts";
import { postNotice } from "../messages/post-notice.ts";
import { openedAtOf } from "./record-step.ts";
import { spaceTarget } from "../core/space-target.ts";

/** Why no run or step may start, and what that is the same as: the limit of a period is announced once. */
export interface BudgetStop {
  readonly reason: string;
  readonly occasion: string;
}

export interface Work {
  readonly mailbox: string;
  readonly space: string;
  /** Null: a run is to be opened; else a further step of this one. */
  readonly run: string | null;
}

/** Reads nothing where no budget sets a limit, which is nearly everywhere. */
export async function findBudgetStop(ctx: Execute, work: Work): Promise<BudgetStop | null> {
  const { store, services, now } = ctx;
  const { mailbox, space, run } = work;
  const { agent: ofAgent, workspace: ofWorkspace } = await effectiveBudgets(store, services.definitions, work);
  const name = mailboxAgent(mailbox);

  if (isLimited(ofWorkspace, "workspace")) {
    const life = await openedAtOf(store, space);
    const spent = await store.usage.ofLife(space, life);
    const limit = await reached(ctx, ofWorkspace, "workspace", spent, work);
    if (limit !== null) return stop(`The budget of ${shown(space)} is used up: ${limit}.`, `${space} ${life} ${limit}`);
  }
  if (isLimited(ofAgent, "agent-day")) {
    const day = utcDay(now);
    const limit = await reached(ctx, ofAgent, "agent-day", await store.usage.ofDay(mailbox, day), work);
    if (limit !== null) {
      return stop(
        `The budget of ${name} for ${day} (UTC) is used up: ${limit}.`,
        `${mailbox} ${day} ${limit} ${space}`,
      );
    }
  }
  if (run !== null && isLimited(ofAgent, "run")) {
    const limit = await reached(ctx, ofAgent, "run", await store.runs.usage({ run }), work);
    if (limit !== null) return stop(`The budget of ${name} for one run is used up: ${limit}.`, `${run} ${limit}`);
  }
  return null;
}

function shown(space: string): string {
  const parsed = parseSpace(space);
  return parsed.ok ? displaySpace(parsed.value) : space;
}

function stop(reason: string, occasion: string): BudgetStop {
  return { reason, occasion: `budget ${occasion}` };
}

/** Runs that have begun and not finished a step are turns too: else many agents woken at once would all get the last one. */
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

/** Work that no budget allows becomes dead letters, to be retried once a person has raised it. */
export async function stopForBudget(
  ctx: Execute,
  { mailbox, space }: Work,
  deliveries: readonly DeliveryRecord[],
  { reason, occasion }: BudgetStop,
): Promise<void> {
  await makeDeadLetters(ctx, deliveries, reason);
  const target = spaceTarget(space);
  const advice = "Raise it in the file that sets it, then retry the dead letters.";
  if ((await ctx.store.messages.byIdempotencyKey(SYSTEM, occasion)) === undefined) {
    await ctx.emit({ type: "budget.reached", space, agent: mailboxAgent(mailbox), reason });
    await postNotice(ctx, target, `${reason} ${advice}`, occasion);
    return;
  }
  for (const { message } of deliveries) {
    const asked = await ctx.store.messages.byId(message);
    if (asked?.sender !== PERSON) continue;
    await postNotice(ctx, target, `${mailboxAgent(mailbox)} could not answer ${message}: ${reason}`);
  }
}
