import { z } from "zod";
import { fillIn } from "../../domain/rule/fill-in.ts";
import { ruleSpeaker, SAMPLES, scopeOf, type RuleEvent } from "../../domain/rule/rule.ts";
import { PERSON } from "../../domain/message/message.ts";
import { parseSpace } from "../../domain/message/space.ts";
import { interpolate } from "../../domain/workflow/interpolate.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import type { Caller } from "../../kernel/caller.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { RuleRecord } from "../../ports/store/rule.ts";
import { checkConsequence, runConsequence } from "../ballots/ballot-consequences.ts";
import { closeWorkspace } from "../workspaces/close-workspace.ts";
import { createBallot } from "../ballots/create-ballot.ts";
import type { Execute } from "../core/define.ts";
import { postMessage } from "../messages/post-message.ts";
import { sendMessage } from "../messages/send-message.ts";
import { setDocumentOwner } from "../documents/set-document-owner.ts";

/**
 * What a rule may do: a short list, and only in its own workspace. It speaks and calls for votes as its author would, an
 * agent's rule under the agent's name, a person's under its own; what it says is caused by the message that set it off and is
 * charged to that chain. What was filled in is data: an `@name` in it calls nobody.
 */
const AS_AUTHOR: readonly string[] = [sendMessage.name, createBallot.name];
const FOR_PERSONS: readonly string[] = [setDocumentOwner.name, closeWorkspace.name];

const said = z.strictObject({ message: z.string().min(1).max(8_000), to: z.string().min(1).optional() });

type Rule = Pick<RuleRecord, "space" | "name" | "author" | "authorKind" | "when" | "then">;

/** Asked when a rule is made, so that no rule is kept that can never do what it says. */
export function checkRule(rule: Rule): Result<undefined, Refusal> {
  const { propose, data } = rule.then;
  const allowed = rule.authorKind === "person" ? [...AS_AUTHOR, ...FOR_PERSONS] : AS_AUTHOR;
  if (!allowed.includes(propose)) {
    return refuse("forbidden", `A rule of ${rule.author} cannot propose "${propose}".`, {
      hint: hintForUnknown(propose, allowed, "proposals"),
    });
  }
  const filled = fillIn(data, scopeFor(rule, SAMPLES[rule.when.on]));
  if (!filled.ok) return filled;
  if (FOR_PERSONS.includes(propose)) {
    const possible = checkConsequence({ propose, data: filled.value }, rule.space);
    return possible.ok ? ok(undefined) : possible;
  }
  const parsed = (propose === sendMessage.name ? said : createBallot.input).safeParse(filled.value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? "" : ` in "${issue.path.join(".")}"`;
    return refuse("invalid", `The data of "${propose}" cannot be used: ${issue?.message ?? "it is invalid"}${place}.`, {
      hint: propose === sendMessage.name ? "It takes message, and to." : "Give the input of that operation.",
    });
  }
  return ok(undefined);
}

/** Runs in the transaction that looks at what happened. A refusal undoes this consequence and nothing else. */
export async function applyConsequence(
  ctx: Execute,
  rule: Rule,
  happening: RuleEvent,
): Promise<Result<unknown, Refusal>> {
  const { propose, data } = rule.then;
  const scope = scopeFor(rule, happening);
  if (propose === sendMessage.name) return say(ctx, rule, happening);
  const filled = fillIn(data, scope);
  if (!filled.ok) return filled;
  if (FOR_PERSONS.includes(propose)) return runConsequence(ctx, { propose, data: filled.value }, rule.space);
  const parsed = createBallot.input.safeParse(filled.value);
  if (!parsed.success) return refuse("invalid", `The data of "${propose}" cannot be used.`);
  // Whatever the data says, the vote is held where the rule is.
  return ctx.propose(createBallot, { ...parsed.data, target: rule.space }, actorOf(rule, happening));
}

async function say(ctx: Execute, rule: Rule, happening: RuleEvent): Promise<Result<unknown, Refusal>> {
  const given = said.safeParse(rule.then.data);
  const space = parseSpace(rule.space);
  if (!given.success || !space.ok || space.value.kind === "dm") return refuse("invalid", "The rule cannot speak here.");
  const scope = scopeFor(rule, happening);
  const body = interpolate(given.data.message, scope);
  if (!body.ok) return body;
  const to = given.data.to === undefined ? ok(undefined) : fillIn(given.data.to, scope);
  if (!to.ok) return to;
  const agent = typeof to.value === "string" && to.value !== PERSON ? to.value : undefined;
  return postMessage(ctx, {
    target: agent === undefined ? { ...space.value, kind: "channel" } : { ...space.value, kind: "agent", agent },
    sender: speakerOf(rule),
    kind: "message",
    body: body.value.text,
    inert: body.value.inert,
    cause: causeOf(happening),
  });
}

function scopeFor({ name, space }: Rule, happening: RuleEvent) {
  const parsed = parseSpace(space);
  const workspace = parsed.ok && parsed.value.kind === "workspace" ? displayWorkspace(parsed.value) : space;
  return scopeOf(happening, { rule: name, workspace });
}

/** A person's rule has the rights of somebody who takes part, and never speaks with a person's voice. */
function actorOf(rule: Rule, happening: RuleEvent): Caller {
  return { kind: "agent", name: speakerOf(rule), space: rule.space, run: null, cause: causeOf(happening) };
}

function speakerOf({ name, author, authorKind }: Rule): string {
  return authorKind === "person" ? ruleSpeaker(name) : author;
}

function causeOf(happening: RuleEvent): string | null {
  return happening.on === "message" ? happening.id : null;
}
