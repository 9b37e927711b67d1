import type { z } from "zod";
import * as contract from "../../contract/ballots.ts";
import type { BallotOption } from "../../domain/ballot/ballot.ts";
import { ballotTerms, type ProposedOption } from "../../domain/ballot/terms.ts";
import { PERSON, SYSTEM } from "../../domain/message/message.ts";
import { parseDuration } from "../../domain/schedule/duration.ts";
import { checkParticipant } from "../../domain/workspace/participation.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { BallotRecord } from "../../ports/store/ballot.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import { callerName, participants } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { proposal, type Execute } from "../core/define.ts";
import { redactTexts } from "../core/redact-texts.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postMessage } from "../messages/post-message.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { checkConsequence } from "./ballot-consequences.ts";
import { openingNotice } from "./ballot-notice.ts";
import { toBallotView } from "./view.ts";

/**
 * Opens a ballot. Its voters and its rule never change afterwards. The announcement is the only message about a ballot
 * that wakes agents. It is charged to the chain of messages it belongs to, so that ballots do not bypass its budget.
 */
export const createBallot = proposal(contract.createBallot, {
  access: participants,

  async execute(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    const workspace = await findWorkspace(ctx.store, space.value);
    if (!workspace.ok) return workspace;
    const eligible = await eligibleVoters(ctx, workspace.value, data.voters);
    if (!eligible.ok) return eligible;
    const timeout = parseDuration(data.timeout);
    if (!timeout.ok) return timeout;

    const { type, options, resolution, quorum, tie, fallback } = data;
    const { redact } = ctx.services;
    const terms = ballotTerms({
      type,
      creator: callerName(ctx.caller),
      eligible: eligible.value,
      seed: Math.floor(ctx.random() * 2 ** 32),
      ...(options === undefined ? {} : { options: options.map((each) => redactOption(each, redact)) }),
      ...(resolution === undefined ? {} : { rule: resolution }),
      ...(quorum === undefined ? {} : { quorum }),
      ...(tie === undefined ? {} : { tie }),
      ...(fallback === undefined ? {} : { fallback }),
    });
    if (!terms.ok) return terms;
    const possible = checkConsequences(terms.value.options, workspace.value.key);
    if (!possible.ok) return possible;

    const ballot: BallotRecord = {
      id: ctx.newId("bal"),
      space: workspace.value.key,
      title: redact(data.title),
      terms: terms.value,
      binding: data.binding,
      state: "open",
      outcome: null,
      effect: null,
      openedAt: ctx.now,
      expiresAt: ctx.now + timeout.value,
      closedAt: null,
    };
    await ctx.store.ballots.open(ballot);
    await ctx.emit({ type: "ballot.opened", space: ballot.space, ballot: ballot.id });
    const announced = await announce(ctx, ballot);
    return announced.ok ? ok(toBallotView(ballot, [])) : announced;
  },
});

/** Returns the named voters, which must be participants or the person; without names all participants. */
async function eligibleVoters(
  ctx: Execute,
  workspace: WorkspaceRecord,
  voters: readonly string[] | undefined,
): Promise<Result<readonly string[], Refusal>> {
  const { workflow, tag, state } = workspace;
  const roster = (await ctx.store.workspaces.roster(workspace.key)).map(({ agent }) => agent);
  for (const voter of voters ?? []) {
    if (voter === PERSON) continue;
    const member = checkParticipant({ workflow, tag, running: state === "open", participants: roster }, voter);
    if (!member.ok) return member;
  }
  return ok(voters ?? roster);
}

function checkConsequences(options: readonly BallotOption[], space: string): Result<undefined, Refusal> {
  for (const { then } of options) {
    const possible = then === undefined ? undefined : checkConsequence(then, space);
    if (possible?.ok === false) return possible;
  }
  return ok(undefined);
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

function redactOption(
  option: z.output<typeof contract.proposedOption>,
  redact: (text: string) => string,
): ProposedOption {
  if (typeof option === "string") return redact(option);
  const { id, label, then } = option;
  return {
    ...(id === undefined ? {} : { id }),
    label: redact(label),
    ...(then === undefined ? {} : { then: { propose: then.propose, data: redactTexts(then.data, redact) } }),
  };
}
