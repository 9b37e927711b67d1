import { z } from "zod";
import { ballotView } from "../../contract/ballot.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { callerName, participants } from "../core/access.ts";
import { toBallotView } from "./view.ts";
import { proposal } from "../core/define.ts";
import { endWithoutOutcome } from "./end-ballot.ts";
import { checkOpen, findBallot } from "./find-ballot.ts";

export const cancelBallot = proposal({
  name: "cancel-ballot",
  summary: "Cancel an open ballot: whoever opened it may, and a person may.",
  input: z.object({
    id: z.string(),
    target: z.string().optional().describe("Needed by a person for a workspace kept in memory: @review"),
  }),
  output: ballotView,
  access: participants,

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
