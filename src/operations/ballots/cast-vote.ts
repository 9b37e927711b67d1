import * as contract from "../../contract/ballots.ts";
import { castVote as addVote, resolveBallot } from "../../domain/ballot/resolve.ts";
import { findOption } from "../../domain/ballot/terms.ts";
import { ok } from "../../kernel/result.ts";
import { callerName, participants } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { redactOptional } from "../core/redact-texts.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";
import { voteNotice } from "./ballot-notice.ts";
import { decideBallot } from "./decide-ballot.ts";
import { checkOpen, findBallot } from "./find-ballot.ts";
import { toBallotView } from "./view.ts";
import { refreshOwnProposals } from "../own-proposals/refresh-own-proposals.ts";

/** Stores a vote. When the outcome is then certain, the ballot is decided in the same transaction. */
export const castVote = proposal(contract.castVote, {
  access: participants,

  prepare: refreshOwnProposals,

  async execute(data, ctx) {
    const found = await findBallot(ctx.store, data.id, ctx.caller, data.target);
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

    const reason = redactOptional(data.reason, ctx.services.redact);
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
