import { z } from "zod";
import { ruleCondition, ruleConsequence, ruleView } from "../../contract/rule.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { NewRule } from "../../ports/store/rule.ts";
import { callerName, participants } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { redactTexts } from "../core/redact-texts.ts";
import { checkRule } from "./rule-consequences.ts";
import { toRuleView } from "./view.ts";

const MOST_IN_A_SPACE = 20;
const MOST_OF_AN_AGENT = 5;
const DEFAULT_MOST = 20;

/**
 * Adds a proposal written as data, while everything runs: when something happens in the workspace, another proposal is
 * made. It looks at what happens from now on.
 */
export const addRule = proposal({
  name: "add-rule",
  summary: "Add a rule to a workspace: when something happens there, something is proposed.",
  input: z.object({
    target: z.string().optional().describe("@review or @review:pr-1. Agents: leave it out."),
    name: z.string().regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, "a name is letters, digits, - and _"),
    when: ruleCondition,
    then: ruleConsequence,
    most: z
      .int()
      .min(1)
      .max(100)
      .default(DEFAULT_MOST)
      .describe("How often it may act before a person has to write in the workspace."),
  }),
  output: ruleView,
  access: participants,

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
    if (others.length >= MOST_IN_A_SPACE || (caller.kind === "agent" && own.length >= MOST_OF_AN_AGENT)) {
      return refuse("conflict", `There are as many rules in ${key} as there may be.`, { hint: "Remove one first." });
    }
    const rule: NewRule = {
      id: ctx.newId("rul"),
      space: key,
      name: data.name,
      author,
      authorKind: caller.kind === "agent" ? "agent" : "person",
      when: ruleCondition.parse(redactTexts(data.when, services.redact)),
      then: ruleConsequence.parse(redactTexts(data.then, services.redact)),
      most: data.most,
      fired: 0,
      total: 0,
      resting: false,
      lastFiredAt: null,
      lastRefusal: null,
      createdAt: ctx.now,
    };
    const possible = checkRule(rule);
    if (!possible.ok) return possible;
    await ctx.store.rules.add(rule, { isPaused: state !== "open" });
    await ctx.emit({ type: "rule.added", space: key, rule: rule.id, by: author });
    return ok(toRuleView({ ...rule, seen: null }));
  },
});
