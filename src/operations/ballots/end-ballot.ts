import type { BallotOutcome } from "../../domain/ballot/ballot.ts";
import type { BallotRecord } from "../../ports/store/ballot.ts";
import { callerName } from "../core/access.ts";
import { cancelNotice, outcomeNotice } from "./ballot-notice.ts";
import type { Execute } from "../core/define.ts";
import { postNotice } from "../messages/post-message.ts";
import { spaceTarget } from "../core/space-target.ts";

type Decided = Exclude<BallotOutcome, { readonly status: "open" }>;

/** Closes a ballot with its outcome and says so. Part of the transaction that decided it. */
export async function endWithOutcome(ctx: Execute, ballot: BallotRecord, outcome: Decided): Promise<void> {
  await ctx.store.ballots.close(ballot.id, { state: outcome.status, outcome, closedAt: ctx.now });
  await ctx.emit({ type: "ballot.closed", space: ballot.space, ballot: ballot.id, state: outcome.status });
  await postNotice(ctx, spaceTarget(ballot.space), outcomeNotice(ballot, outcome));
}

export async function endWithoutOutcome(ctx: Execute, ballot: BallotRecord, reason: string | null): Promise<void> {
  await ctx.store.ballots.close(ballot.id, { state: "cancelled", outcome: null, closedAt: ctx.now });
  await ctx.emit({ type: "ballot.closed", space: ballot.space, ballot: ballot.id, state: "cancelled" });
  await postNotice(ctx, spaceTarget(ballot.space), cancelNotice(ballot, callerName(ctx.caller), reason));
}

const BATCH = 100;

export async function endAllBallots(ctx: Execute, space: string, reason: string): Promise<void> {
  for (;;) {
    const open = await ctx.store.ballots.list({ space, state: "open", limit: BATCH });
    if (open.length === 0) return;
    for (const ballot of open) await endWithoutOutcome(ctx, ballot, reason);
  }
}
