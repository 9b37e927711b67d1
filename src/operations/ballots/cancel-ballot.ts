import * as contract from "../../contract/ballots.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { callerName, participants } from "../core/access.ts";
import { toBallotView } from "./view.ts";
import { spaceKey } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { endWithoutOutcome } from "./end-ballot.ts";
import { checkOpen, findBallot } from "./find-ballot.ts";

export const cancelBallot = proposal(contract.cancelBallot, {
  access: participants,
  space: (data, caller) => spaceKey(data.target, caller),

  async execute(data, ctx) {
    const found = await findBallot(ctx.store, data.id, ctx.caller);
    if (!found.ok) return found;
    const ballot = found.value;
    if (ctx.caller.kind === "agent" && ballot.terms.creator !== callerName(ctx.caller)) {
      return refuse("forbidden", `Only ${ballot.terms.creator} or a person may cancel "${ballot.title}".`, {
        hint: "Vote against it, or ask in the channel.",
      });
    }
    const open = checkOpen(ballot, ctx.now);
    if (!open.ok) return open;
    await endWithoutOutcome(ctx, ballot, null);
    const votes = await ctx.store.ballots.votes(ballot.id);
    return ok(toBallotView({ ...ballot, state: "cancelled", closedAt: ctx.now }, votes));
  },
});
