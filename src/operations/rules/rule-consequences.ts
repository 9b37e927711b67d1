import { z } from "zod";
import { PERSON } from "../../domain/message/message.ts";
import { parseSpace } from "../../domain/message/space.ts";
import { fillIn } from "../../domain/rule/fill-in.ts";
import { ruleSpeaker, SAMPLES, scopeOf, type RuleEvent } from "../../domain/rule/rule.ts";
import { interpolate } from "../../domain/workflow/interpolate.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import { person, type Caller } from "../../kernel/caller.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { err, ok, type Result } from "../../kernel/result.ts";
import type { RuleRecord } from "../../ports/store/proposals/rule.ts";
import { checkConsequence, refuseData, runConsequence } from "../ballots/ballot-consequences.ts";
import { createBallot } from "../ballots/create-ballot.ts";
import type { Execute, OwnProposal, OwnProposals } from "../core/define.ts";
import { setDocumentOwner } from "../documents/set-document-owner.ts";
import { postMessage } from "../messages/post-message.ts";
import { sendMessage } from "../messages/send-message.ts";
import { checkEmbeddable } from "../own-proposals/embeddable.ts";

import { closeWorkspace } from "../workspaces/close-workspace.ts";

/**
 * What a rule may propose, in its own workspace only. The rule of an agent acts under the name of the agent, that of a
 * person under the name of the rule. What it posts belongs to the chain of the message that triggered it. Filled-in
 * values are data: an `@name` in them is no mention.
 */
const AS_AUTHOR: readonly string[] = [sendMessage.name, createBallot.name];
const PERSONS_ONLY: readonly string[] = [setDocumentOwner.name, closeWorkspace.name];

const messageInput = z.strictObject({ message: z.string().min(1).max(8_000), to: z.string().min(1).optional() });

type Rule = Pick<RuleRecord, "space" | "name" | "author" | "authorKind" | "when" | "then">;

/**
 * Called when a rule is added, so that no rule is stored that can never act, and that no agent lets a rule do what its
 * own tools do not.
 */
export function checkRule(own: OwnProposals, rule: Rule, author: Caller): Result<undefined, Refusal> {
  const { propose, data } = rule.then;
  const builtIn = rule.authorKind === "person" ? [...AS_AUTHOR, ...PERSONS_ONLY] : AS_AUTHOR;
  const ownOne = own.find(propose);
  if (ownOne?.ok === false) return ownOne;
  const allowed = [...builtIn, ...own.all().map(({ name }) => name)];
  if (!allowed.includes(propose)) {
    return refuse("forbidden", `A rule of ${rule.author} cannot propose "${propose}".`, {
      hint: hintForUnknown(propose, allowed, "proposals"),
    });
  }
  if (author.kind === "agent" && author.operations?.has(propose) === false) {
    return refuse("forbidden", `A rule of ${rule.author} cannot propose "${propose}": none of its tools does.`, {
      hint: "A rule has only the rights of its author.",
    });
  }
  const filled = fillIn(data, scopeFor(rule, SAMPLES[rule.when.on]));
  if (!filled.ok) return filled;
  if (ownOne !== undefined) return checkOwn(ownOne.value, rule, author, filled.value);
  if (PERSONS_ONLY.includes(propose)) {
    const possible = checkConsequence(own, { propose, data: filled.value }, rule.space);
    return possible.ok ? ok(undefined) : possible;
  }
  const parsed = (propose === sendMessage.name ? messageInput : createBallot.input).safeParse(filled.value);
  if (parsed.success) return ok(undefined);
  const hint = propose === sendMessage.name ? "It takes message, and to." : "Give the input of that operation.";
  return refuseData(propose, parsed.error, hint);
}

/** Runs in the transaction of `fire-rules`. A refusal undoes this consequence and nothing else. */
export async function applyConsequence(ctx: Execute, rule: Rule, event: RuleEvent): Promise<Result<unknown, Refusal>> {
  const { propose, data } = rule.then;
  if (propose === sendMessage.name) return postRuleMessage(ctx, rule, event);
  const filled = fillIn(data, scopeFor(rule, event));
  if (!filled.ok) return filled;
  const own = ctx.services.ownProposals.find(propose);
  if (own !== undefined) {
    const embeddable = own.ok ? checkEmbeddable(own.value) : own;
    if (!embeddable.ok) return embeddable;
    const allowed = own.ok ? checkOwn(own.value, rule, actorOf(rule, event), filled.value) : own;
    if (!allowed.ok) return allowed;
    return ctx.propose(embeddable.value, { ...toFields(filled.value), target: rule.space }, actorOf(rule, event));
  }
  if (PERSONS_ONLY.includes(propose)) return runConsequence(ctx, { propose, data: filled.value }, rule.space, null);
  const parsed = createBallot.input.safeParse(filled.value);
  if (!parsed.success) return refuse("invalid", `The data of "${propose}" cannot be used.`);
  // Whatever the data says, the ballot is held in the workspace of the rule.
  return ctx.propose(createBallot, { ...parsed.data, target: rule.space }, actorOf(rule, event));
}

/** The rule of a person may do what the person or every agent may. Its data is checked when it is filled in. */
function checkOwn(own: OwnProposal, rule: Rule, author: Caller, data: unknown): Result<undefined, Refusal> {
  const embeddable = checkEmbeddable(own);
  if (!embeddable.ok) return embeddable;
  const parsed = own.operation.input.safeParse({ ...toFields(data), target: rule.space });
  if (!parsed.success)
    return refuseData(own.name, parsed.error, "Give the input of that proposal as the data of `then`.");
  const refused = own.operation.access(rule.authorKind === "person" ? person : author);
  return refused === undefined ? ok(undefined) : err(refused);
}

function toFields(data: unknown): object {
  return typeof data === "object" && data !== null ? data : {};
}

async function postRuleMessage(ctx: Execute, rule: Rule, event: RuleEvent): Promise<Result<unknown, Refusal>> {
  const input = messageInput.safeParse(rule.then.data);
  const space = parseSpace(rule.space);
  if (!input.success || !space.ok || space.value.kind === "dm") return refuse("invalid", "The rule cannot speak here.");
  const scope = scopeFor(rule, event);
  const body = interpolate(input.data.message, scope);
  if (!body.ok) return body;
  const to = input.data.to === undefined ? ok(undefined) : fillIn(input.data.to, scope);
  if (!to.ok) return to;
  const agent = typeof to.value === "string" && to.value !== PERSON ? to.value : undefined;
  return postMessage(ctx, {
    target: agent === undefined ? { ...space.value, kind: "channel" } : { ...space.value, kind: "agent", agent },
    sender: senderOf(rule),
    // Values that are filled in may be anyone's.
    onBehalfOf: rule.authorKind === "person" && body.value.names.length === 0 ? PERSON : undefined,
    kind: "message",
    body: body.value.text,
    inert: body.value.inert,
    cause: causeOf(event),
  });
}

function scopeFor({ name, space }: Rule, event: RuleEvent) {
  const parsed = parseSpace(space);
  const workspace = parsed.ok && parsed.value.kind === "workspace" ? displayWorkspace(parsed.value) : space;
  return scopeOf(event, { rule: name, workspace });
}

/** A person's rule acts with the rights of a participant, never as the person. */
function actorOf(rule: Rule, event: RuleEvent): Caller {
  return { kind: "agent", name: senderOf(rule), space: rule.space, run: null, cause: causeOf(event) };
}

function senderOf({ name, author, authorKind }: Rule): string {
  return authorKind === "person" ? ruleSpeaker(name) : author;
}

function causeOf(event: RuleEvent): string | null {
  return event.on === "message" ? event.id : null;
}
