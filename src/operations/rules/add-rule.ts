import * as contract from "../../contract/rules.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { NewRule } from "../../ports/store/proposals/rule.ts";
import { callerName, participants } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { redactTexts } from "../core/redact-texts.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { checkRule } from "./rule-consequences.ts";
import { toRuleView } from "./view.ts";
import { refreshOwnProposals } from "../own-proposals/refresh-own-proposals.ts";

const MAX_IN_A_SPACE = 20;
const MAX_OF_AN_AGENT = 5;

/** Adds a rule to a workspace: a proposal written as data, which is made when a later event matches. */
export const addRule = proposal(contract.addRule, {
  access: participants,

  prepare: refreshOwnProposals,

  async execute(data, ctx) {
    const { caller, services } = ctx;
    const space = callerSpace(data.target, caller);
    if (!space.ok) return space;
    const workspace = await findWorkspace(ctx.store, space.value);
    if (!workspace.ok) return workspace;
    const { key, state } = workspace.value;
    const author = callerName(caller);
    const others = await ctx.store.rules.list(key);
    if (others.some(({ name }) => name === data.name)) {
      return refuse("conflict", `There is a rule "${data.name}" in ${key} already.`, {
        hint: "Choose another name, or remove that one first.",
      });
    }
    const own = others.filter((each) => each.authorKind === "agent" && each.author === author);
    if (others.length >= MAX_IN_A_SPACE || (caller.kind === "agent" && own.length >= MAX_OF_AN_AGENT)) {
      return refuse("conflict", `There are as many rules in ${key} as there may be.`, { hint: "Remove one first." });
    }
    const rule: NewRule = {
      id: ctx.newId("rul"),
      space: key,
      name: data.name,
      author,
      authorKind: caller.kind === "agent" ? "agent" : "person",
      when: contract.ruleCondition.parse(redactTexts(data.when, services.redact)),
      then: contract.ruleConsequence.parse(redactTexts(data.then, services.redact)),
      most: data.most,
      fired: 0,
      total: 0,
      resting: false,
      lastFiredAt: null,
      lastRefusal: null,
      createdAt: ctx.now,
    };
    const possible = checkRule(services.ownProposals, rule, caller);
    if (!possible.ok) return possible;
    await ctx.store.rules.add(rule, { isPaused: state !== "open" });
    await ctx.emit({ type: "rule.added", space: key, rule: rule.id, by: author });
    return ok(toRuleView({ ...rule, seen: null }));
  },
});
