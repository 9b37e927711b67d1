import { z } from "zod";
import { ballotView } from "../../contract/ballot.ts";
import { castVote as addVote, resolveBallot } from "../../domain/ballot/resolve.ts";
import { findOption } from "../../domain/ballot/terms.ts";
import { ok } from "../../kernel/result.ts";
import { callerName, participants } from "../core/access.ts";
import { voteNotice } from "./ballot-notice.ts";
import { toBallotView } from "./view.ts";
import { decideBallot } from "./decide-ballot.ts";
import { proposal } from "../core/define.ts";
import { checkOpen, findBallot } from "./find-ballot.ts";
import { postNotice } from "../messages/post-message.ts";
import { spaceTarget } from "../core/space-target.ts";

const MAX_REASON = 500;

/** A vote and, when it makes the outcome certain, the decision and what follows from it: one transaction. */
export const castVote = proposal({
  name: "cast-vote",
  summary: "Vote in a ballot. Voting again replaces your earlier vote.",
  input: z.object({
    id: z.string(),
    option: z.string().describe("Id or label of the option."),
    reason: z
      .string()
      .max(MAX_REASON, "the reason is too long")
      .transform((text) => text.replace(/\s+/gu, " ").trim())
      .optional(),
    target: z.string().optional().describe("Needed by a person for a workspace kept in memory: @review"),
  }),
  output: ballotView,
  access: participants,

  async execute(data, ctx) {
    const found = await findBallot(ctx.store, data.id, ctx.caller);
    if (!found.ok) return found;
    const ballot = found.value;
    const open = checkOpen(ballot, ctx.now);
    if (!open.ok) return open;

    const voter = callerName(ctx.caller);
    const before = await ctx.store.ballots.votes(ballot.id);
    const votes = addVote(ballot.terms, before, { voter, option: data.option });
    if (!votes.ok) return votes;
    const option = findOption(ballot.terms.options, data.option);
    if (!option.ok) return option;

    const reason = data.reason === undefined || data.reason === "" ? null : ctx.services.redact(data.reason);
    const vote = { voter, option: option.value.id, reason, at: ctx.now };
    await ctx.store.ballots.vote(ballot.id, vote);
    await ctx.emit({ type: "ballot.voted", space: ballot.space, ballot: ballot.id, voter });
    const again = before.some((each) => each.voter === voter);
    await postNotice(ctx, spaceTarget(ballot.space), voteNotice(ballot, vote, votes.value.length, again));

    await decideBallot(ctx, ballot, resolveBallot(ballot.terms, votes.value));
    const after = (await ctx.store.ballots.byId(ballot.id)) ?? ballot;
    return ok(toBallotView(after, await ctx.store.ballots.votes(ballot.id)));
  },
});
