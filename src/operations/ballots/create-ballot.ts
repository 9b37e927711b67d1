import type { z } from "zod";
import * as contract from "../../contract/ballots.ts";
import type { BallotConsequence, BallotOption, BallotTerms } from "../../domain/ballot/ballot.ts";
import { CONSEQUENCE_FORMS } from "../../domain/ballot/named-consequence.ts";
import { ballotTerms } from "../../domain/ballot/terms.ts";
import { PERSON, SYSTEM } from "../../domain/message/message.ts";
import { parseDuration } from "../../domain/schedule/duration.ts";
import { checkParticipant } from "../../domain/workspace/participation.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { BallotRecord } from "../../ports/store/ballot.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import { callerName, participants } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { proposal, type Execute, type OwnProposals } from "../core/define.ts";
import { redactTexts } from "../core/redact-texts.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postMessage } from "../messages/post-message.ts";

import { findWorkspace } from "../workspaces/find-workspace.ts";
import { checkConsequence } from "./ballot-consequences.ts";
import { openingNotice } from "./ballot-notice.ts";
import { optionsWithConsequences } from "./named-consequences.ts";
import { toBallotView } from "./view.ts";
import { refreshOwnProposals } from "../own-proposals/refresh-own-proposals.ts";

/**
 * Opens a ballot. Its voters and its rule never change afterwards. The announcement is charged to the chain of messages it
 * belongs to, and everything that wakes agents about the ballot later follows from the announcement, so that ballots do
 * not bypass the budget.
 */
export const createBallot = proposal(contract.createBallot, {
  access: participants,

  prepare: refreshOwnProposals,

  async execute(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    const workspace = await findWorkspace(ctx.store, space.value);
    if (!workspace.ok) return workspace;
    const roster = (await ctx.store.workspaces.roster(workspace.value.key)).map(({ agent }) => agent);
    const eligible = eligibleVoters(workspace.value, roster, data.voters);
    if (!eligible.ok) return eligible;
    const timeout = parseDuration(data.timeout);
    if (!timeout.ok) return timeout;

    const { type, resolution, quorum, tie, fallback } = data;
    const { redact } = ctx.services;
    const title = redact(data.title);
    const options = optionsWithConsequences(
      type,
      (data.options ?? []).map((each) => redactOption(each, redact)),
      data.then === undefined ? undefined : redact(data.then),
      { space: workspace.value.key, participants: roster, title },
    );
    if (!options.ok) return options;
    const terms = ballotTerms({
      type,
      creator: callerName(ctx.caller),
      eligible: eligible.value,
      seed: Math.floor(ctx.random() * 2 ** 32),
      options: options.value,
      ...(resolution === undefined ? {} : { rule: resolution }),
      ...(quorum === undefined ? {} : { quorum }),
      ...(tie === undefined ? {} : { tie }),
      ...(fallback === undefined ? {} : { fallback }),
    });
    if (!terms.ok) return terms;
    const follows = checkConsequences(ctx.services.ownProposals, terms.value.options, workspace.value.key);
    if (!follows.ok) return follows;
    if (data.binding === true && !follows.value) {
      return refuse("invalid", 'A binding ballot needs something that follows from it: "then" is missing.', {
        hint: `Give then: ${CONSEQUENCE_FORMS}, for all options or for one; or leave binding out.`,
      });
    }

    const binding = data.binding ?? follows.value;
    if (binding && ctx.caller.kind === "agent" && decidesAlone(terms.value)) {
      return refuse("invalid", "A binding ballot must need the vote of somebody besides the one who opens it.", {
        hint: "Leave the quorum out or make it 2 or more, name other voters (user is the person), or leave binding and then out.",
      });
    }

    const ballot: BallotRecord = {
      id: ctx.newId("bal"),
      space: workspace.value.key,
      title,
      terms: terms.value,
      binding,
      state: "open",
      outcome: null,
      effect: null,
      openedAt: ctx.now,
      expiresAt: ctx.now + timeout.value,
      closedAt: null,
      announcement: null,
      remindedAt: null,
    };
    await ctx.emit({ type: "ballot.opened", space: ballot.space, ballot: ballot.id });
    const announced = await announce(ctx, ballot);
    if (!announced.ok) return announced;
    await ctx.store.ballots.open({ ...ballot, announcement: announced.value.id });
    return ok(toBallotView(ballot, []));
  },
});

/** Returns the named voters, which must be participants or the person; without names all participants. */
function eligibleVoters(
  { workflow, tag, state }: WorkspaceRecord,
  roster: readonly string[],
  voters: readonly string[] | undefined,
): Result<readonly string[], Refusal> {
  for (const voter of voters ?? []) {
    if (voter === PERSON) continue;
    const member = checkParticipant({ workflow, tag, running: state === "open", participants: roster }, voter);
    if (!member.ok) return member;
  }
  return ok(voters ?? roster);
}

/** Whether the vote of the one who opens the ballot can decide it. One agent must not give itself what needs a vote. */
function decidesAlone({ creator, eligible, quorum, rule }: BallotTerms): boolean {
  if (!eligible.includes(creator)) return false;
  return eligible.length === 1 || (quorum === 1 && rule === "plurality");
}

/** Returns whether anything follows from any option. */
function checkConsequences(
  own: OwnProposals,
  options: readonly BallotOption[],
  space: string,
): Result<boolean, Refusal> {
  const consequences = options.flatMap(({ then }) => then ?? []);
  for (const then of consequences) {
    const possible = checkConsequence(own, then, space);
    if (!possible.ok) return possible;
  }
  return ok(consequences.length > 0);
}

function announce(ctx: Execute, ballot: BallotRecord) {
  const { caller } = ctx;
  return postMessage(ctx, {
    target: spaceTarget(ballot.space),
    sender: SYSTEM,
    kind: "message",
    body: openingNotice(ballot),
    calls: ballot.terms.eligible.filter((voter) => voter !== ballot.terms.creator),
    cause: caller.kind === "agent" ? caller.cause : null,
  });
}

type WrittenOption = z.output<typeof contract.proposedOption>;

function redactOption(option: WrittenOption, redact: (text: string) => string): WrittenOption {
  if (typeof option === "string") return redact(option);
  const { id, label, then } = option;
  return {
    ...(id === undefined ? {} : { id }),
    label: redact(label),
    ...(then === undefined ? {} : { then: redactThen(then, redact) }),
  };
}

function redactThen(then: string | BallotConsequence, redact: (text: string) => string): string | BallotConsequence {
  if (typeof then === "string") return redact(then);
  return { propose: then.propose, data: redactTexts(then.data, redact) };
}
