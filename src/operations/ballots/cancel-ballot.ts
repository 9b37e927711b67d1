import * as contract from "../../contract/ballots.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { BallotRecord } from "../../ports/store/ballot.ts";
import { callerName, participants } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";
import { cancelNotice } from "./ballot-notice.ts";
import { checkOpen, findBallot } from "./find-ballot.ts";
import { toBallotView } from "./view.ts";

export const cancelBallot = proposal(contract.cancelBallot, {
  access: participants,

  async execute(data, ctx) {
    const found = await findBallot(ctx.store, data.id, ctx.caller, data.target);
    if (!found.ok) return found;
    const ballot = found.value;
    if (ctx.caller.kind === "agent" && ballot.terms.creator !== callerName(ctx.caller)) {
      return refuse("forbidden", `Only ${ballot.terms.creator} or a person may cancel "${ballot.title}".`, {
        hint: "Vote against it, or ask in the channel.",
      });
    }
    const open = checkOpen(ballot, ctx.now);
    if (!open.ok) return open;
    await cancel(ctx, ballot, null);
    const votes = await ctx.store.ballots.votes(ballot.id);
    return ok(toBallotView({ ...ballot, state: "cancelled", closedAt: ctx.now }, votes));
  },
});

async function cancel(ctx: Execute, ballot: BallotRecord, reason: string | null): Promise<void> {
  const { id, space } = ballot;
  await ctx.store.ballots.close(id, { state: "cancelled", outcome: null, closedAt: ctx.now });
  await ctx.emit({ type: "ballot.closed", space, ballot: id, state: "cancelled" });
  await postNotice(ctx, spaceTarget(space), cancelNotice(ballot, callerName(ctx.caller), reason));
}

const BATCH = 100;

/** Cancels every open ballot of a workspace. */
export async function cancelAllBallots(ctx: Execute, space: string, reason: string): Promise<void> {
  for (;;) {
    const open = await ctx.store.ballots.list({ space, state: "open", limit: BATCH });
    if (open.length === 0) return;
    for (const ballot of open) await cancel(ctx, ballot, reason);
  }
}
