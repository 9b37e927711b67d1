import type { z } from "zod";
import type { BallotConsequence } from "../../domain/ballot/ballot.ts";
import { SYSTEM } from "../../domain/message/message.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { systemCaller, type Caller } from "../../kernel/caller.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import type { Proposal } from "../../kernel/proposal.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Execute, ProductTypes, OwnProposals } from "../core/define.ts";
import { checkEmbeddable } from "../own-proposals/embeddable.ts";

import { setDocumentOwner } from "../documents/set-document-owner.ts";
import { postMessage } from "../messages/post-message.ts";
import { sendMessage } from "../messages/send-message.ts";
import { closeWorkspace } from "../workspaces/close-workspace.ts";
import { setRole } from "../workspaces/set-role.ts";

type Consequence = Proposal<ProductTypes, z.ZodType, z.ZodType, undefined>;

/** The ballotable operations. They are listed here, because importing the registry would be an import cycle. */
const ballotConsequences: readonly Consequence[] = [sendMessage, setDocumentOwner, setRole, closeWorkspace];

/** Returns the consequence with the workspace of the ballot as its target, unless its data names one. */
export function withSpace({ propose, data }: BallotConsequence, space: string): BallotConsequence {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return { propose, data };
  const key = propose === sendMessage.name ? "to" : "target";
  return Reflect.get(data, key) === undefined ? { propose, data: { ...data, [key]: space } } : { propose, data };
}

/**
 * Called when a ballot is created, so that its voters never decide on something impossible, and before the consequence
 * runs. It runs as the system, which may act anywhere, so it must act in the workspace of the ballot.
 */
export function checkConsequence(
  own: OwnProposals,
  { propose, data }: BallotConsequence,
  space: string,
): Result<Consequence, Refusal> {
  const found = findConsequence(own, propose);
  if (!found.ok) return found;
  const consequence = found.value;
  const parsed = consequence.input.safeParse(data);
  if (!parsed.success) {
    return refuseData(propose, parsed.error, "Give the input of that operation as the data of `then`.");
  }
  if (consequence.space?.(parsed.data, systemCaller) === space) return ok(consequence);
  return refuse("forbidden", `"${propose}" would not act in ${space}, where the ballot is held.`, {
    hint: `A ballot decides about its own workspace. Name it in the data: ${space}.`,
  });
}

function findConsequence(own: OwnProposals, propose: string): Result<Consequence, Refusal> {
  const builtIn = ballotConsequences.find(({ name }) => name === propose);
  if (builtIn !== undefined) return ok(builtIn);
  const found = own.find(propose);
  if (found?.ok === false) return found;
  if (found?.value.ballotable === true) return checkEmbeddable(found.value);
  const names = [...ballotConsequences, ...own.all().filter(({ ballotable }) => ballotable)].map(({ name }) => name);
  return refuse("invalid", `"${propose}" cannot follow from a ballot.`, {
    hint:
      found === undefined
        ? hintForUnknown(propose, names, "consequences")
        : `Its definition must say so: ballotable: true. Others that can: ${names.join(", ")}.`,
  });
}

export function refuseData(propose: string, { issues: [issue] }: z.ZodError, hint: string) {
  const place = issue === undefined || issue.path.length === 0 ? "" : ` in "${issue.path.join(".")}"`;
  const problem = `${issue?.message ?? "it is invalid"}${place}`;
  return refuse("invalid", `The data of "${propose}" cannot be used: ${problem}.`, { hint });
}

/**
 * Runs in the transaction that decided the ballot. A refusal undoes the consequence and nothing else. A message belongs to
 * the chain of `cause`, so that ballots that follow from each other use up one budget.
 */
export async function runConsequence(
  ctx: Execute,
  { propose, data }: BallotConsequence,
  space: string,
  cause: string | null,
): Promise<Result<unknown, Refusal>> {
  const consequence = checkConsequence(ctx.services.ownProposals, { propose, data }, space);
  if (!consequence.ok) return consequence;
  if (!ballotConsequences.includes(consequence.value)) {
    // What it posts belongs to the chain of the ballot, too, and it acts nowhere else.
    const ballot: Caller = { kind: "agent", name: SYSTEM, space, run: null, cause };
    return ctx.propose(consequence.value, data, ballot);
  }
  const message = propose === sendMessage.name ? sendMessage.input.safeParse(data).data : undefined;
  const target = message?.to === undefined ? undefined : parseTarget(message.to);
  if (message === undefined || target?.ok !== true) return ctx.propose(consequence.value, data, systemCaller);
  return postMessage(ctx, { target: target.value, sender: SYSTEM, kind: "message", body: message.message, cause });
}
