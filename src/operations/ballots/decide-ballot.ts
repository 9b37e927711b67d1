import type { BallotOutcome } from "../../domain/ballot/ballot.ts";
import type { BallotRecord } from "../../ports/store/ballot.ts";
import type { Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";
import { continueStart } from "../workspaces/continue-start.ts";
import { announceOutcome } from "./announce-outcome.ts";
import { runConsequence } from "./ballot-consequences.ts";
import { outcomeNotice, refusedEffectNotice } from "./ballot-notice.ts";
import { chosenOption } from "./view.ts";

/**
 * Closes a ballot whose outcome is certain and, if it is binding, runs the consequence of the chosen option, in the same
 * transaction. The ballot is closed first, so that no consequence finds it open. A refused consequence does not reopen
 * the ballot: the decision stands, and the refusal is stored with it and posted in the channel.
 */
export async function decideBallot(ctx: Execute, ballot: BallotRecord, outcome: BallotOutcome): Promise<void> {
  if (outcome.status === "open") return;
  const { id, space } = ballot;
  await ctx.store.ballots.close(id, { state: outcome.status, outcome, closedAt: ctx.now });
  await ctx.emit({ type: "ballot.closed", space, ballot: id, state: outcome.status });

  const chosen = chosenOption(outcome);
  const then = ballot.binding ? ballot.terms.options.find((option) => option.id === chosen)?.then : undefined;
  await announceOutcome(ctx, ballot, outcomeNotice(ballot, outcome, ctx.now), then);
  if (then !== undefined) {
    const result = await runConsequence(ctx, then, space, ballot.announcement);
    const refused = result.ok ? null : result.error.message;
    await ctx.store.ballots.setEffect(id, { propose: then.propose, refused });
    if (refused !== null) await postNotice(ctx, spaceTarget(space), refusedEffectNotice(ballot, then.propose, refused));
  }
  await continueStart(ctx, space);
}
