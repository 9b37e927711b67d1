import type { BallotOutcome } from "../../domain/ballot/ballot.ts";
import type { BallotRecord } from "../../ports/store/ballot.ts";
import { runConsequence } from "./ballot-consequences.ts";
import { refusedEffectNotice } from "./ballot-notice.ts";
import { chosenOption } from "./view.ts";
import type { Execute } from "../core/define.ts";
import { endWithOutcome } from "./end-ballot.ts";
import { postNotice } from "../messages/post-message.ts";
import { spaceTarget } from "../core/space-target.ts";

/**
 * Ends a ballot whose outcome is certain and, if it is binding, does what the chosen option says, in the same
 * transaction. The ballot is closed first, so that no consequence ever sees it open. A consequence that is refused does
 * not reopen the question: the decision stands, and the refusal is kept with it and said in the channel.
 */
export async function decideBallot(ctx: Execute, ballot: BallotRecord, outcome: BallotOutcome): Promise<void> {
  if (outcome.status === "open") return;
  await endWithOutcome(ctx, ballot, outcome);
  const chosen = chosenOption(outcome);
  const then = ballot.terms.options.find(({ id }) => id === chosen)?.then;
  if (!ballot.binding || then === undefined) return;

  const result = await runConsequence(ctx, then, ballot.space);
  const refused = result.ok ? null : result.error.message;
  await ctx.store.ballots.setEffect(ballot.id, { propose: then.propose, refused });
  if (refused !== null) {
    await postNotice(ctx, spaceTarget(ballot.space), refusedEffectNotice(ballot, then.propose, refused));
  }
}
