import * as contract from "../../contract/ballots.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { callerName, participants } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { continueStart } from "../workspaces/continue-start.ts";
import { announceOutcome } from "./announce-outcome.ts";
import { cancelNotice } from "./ballot-notice.ts";
import { closeCancelled } from "./cancel-all-ballots.ts";
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
    await closeCancelled(ctx, ballot);
    await announceOutcome(ctx, ballot, cancelNotice(ballot, callerName(ctx.caller), null));
    await continueStart(ctx, ballot.space);
    const votes = await ctx.store.ballots.votes(ballot.id);
    return ok(toBallotView({ ...ballot, state: "cancelled", closedAt: ctx.now }, votes));
  },
});
