import { z } from "zod";
import type { RecordedEvent } from "../../domain/event.ts";
import { PERSON } from "../../domain/message/message.ts";
import { matches, type RuleEvent } from "../../domain/rule/rule.ts";
import { ok } from "../../kernel/result.ts";
import type { ActiveRule } from "../../ports/store/proposals/rule.ts";
import { chosenOption } from "../ballots/view.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";
import { applyConsequence } from "./rule-consequences.ts";
import { refreshOwnProposals } from "../own-proposals/refresh-own-proposals.ts";

const BATCH = 500;

/**
 * Applies the rules to all events since the last time. Their actions and the position of the last event are one
 * transaction, so each rule acts once per event, even after a crash. Rules ignore the events that rules cause, so they
 * cannot trigger each other; what agents then do can trigger them, and is charged to its chain of messages. A rule that
 * has acted `most` times since a person wrote rests until a person writes again.
 */
export const fireRules = proposal(
  {
    name: "fire-rules",
    summary: "Let the rules act on what happened.",
    input: z.object({}),
    output: z.object({ fired: z.int() }),
  },
  {
    access: systemOnly,

    prepare: refreshOwnProposals,

    async execute(_data, ctx) {
      const rules = new Map((await ctx.store.rules.active()).map((rule) => [rule.id, rule]));
      if (rules.size === 0) return ok({ fired: 0 });
      const last = await ctx.store.events.last();
      const spaces = new Set([...rules.values()].map(({ space }) => space));
      let fired = 0;
      for (let page, cursor = await ctx.store.rules.seen(); page?.events.length !== 0; cursor = page.cursor) {
        page = await ctx.store.events.after(cursor, BATCH, last);
        for (const event of page.events) {
          if (!("space" in event) || !spaces.has(event.space)) continue;
          fired += await applyRules(ctx, rules, event);
        }
      }
      await ctx.store.rules.markSeen();
      return ok({ fired });
    },
  },
);

async function applyRules(
  ctx: Execute,
  rules: Map<string, ActiveRule>,
  event: RecordedEvent & { readonly space: string },
): Promise<number> {
  const ruleEvent = await toRuleEvent(ctx, event);
  if (ruleEvent === null) return 0;
  let fired = 0;
  for (const rule of rules.values()) {
    if (rule.space !== event.space || rule.seen >= event.seq) continue;
    const fromPerson = ruleEvent.on === "message" && ruleEvent.from === PERSON;
    const current = fromPerson && rule.fired > 0 ? { ...rule, fired: 0, resting: false } : rule;
    const acts = !current.resting && matches(rule.when, ruleEvent) && (await mayAct(ctx, rule));
    const next = acts ? await fire(ctx, current, ruleEvent) : current;
    if (next === rule) continue;
    rules.set(rule.id, next);
    await ctx.store.rules.progress(rule.id, next);
    if (acts) fired += 1;
  }
  return fired;
}

async function fire(ctx: Execute, rule: ActiveRule, ruleEvent: RuleEvent): Promise<ActiveRule> {
  const result = await applyConsequence(ctx, rule, ruleEvent);
  const refused = result.ok ? null : result.error.message;
  const { space, id, then } = rule;
  await ctx.emit({ type: "rule.fired", space, rule: id, propose: then.propose, refused });
  const fired = rule.fired + 1;
  const resting = fired >= rule.most;
  if (resting) {
    const body = `The rule "${rule.name}" has acted ${fired} times since a person wrote here. It rests until one does.`;
    await postNotice(ctx, spaceTarget(space), body);
  }
  return { ...rule, fired, total: rule.total + 1, resting, lastFiredAt: ctx.now, lastRefusal: refused };
}

/** True when the workspace is open and the author, if it is an agent, still takes part in it. */
async function mayAct(ctx: Execute, { space, author, authorKind }: ActiveRule): Promise<boolean> {
  if ((await ctx.store.workspaces.status(space))?.state !== "open") return false;
  return authorKind === "person" || (await ctx.store.workspaces.member(space, author)) !== undefined;
}

async function toRuleEvent(ctx: Execute, event: RecordedEvent): Promise<RuleEvent | null> {
  switch (event.type) {
    case "message.posted": {
      const message = await ctx.store.messages.byId(event.message);
      if (message === undefined || message.kind !== "message") return null;
      const { id, sender, body, mentions } = message;
      return { on: "message", id, from: sender, text: body, mentions };
    }
    case "document.written":
      return { on: "document", file: event.file, from: event.by };
    case "ballot.closed": {
      const ballot = await ctx.store.ballots.byId(event.ballot);
      if (ballot === undefined) return null;
      const { id, title, state, outcome } = ballot;
      return { on: "ballot", id, title, state, winner: chosenOption(outcome) };
    }
    default:
      return null;
  }
}
