import * as contract from "../../contract/rules.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { callerName, participants } from "../core/access.ts";
import { isExpectedSpace } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { toRuleView } from "./view.ts";

/** A person removes any rule, an agent its own. */
export const removeRule = proposal(contract.removeRule, {
  access: participants,

  async execute({ id, target }, ctx) {
    const { caller } = ctx;
    const rule = await ctx.store.rules.byId(id);
    if (rule === undefined || !isExpectedSpace(rule.space, target, caller)) {
      return refuse("not_found", `There is no rule "${id.slice(0, 64)}".`, {
        hint: "Take the id from: agent-worker rule list",
      });
    }
    if (caller.kind === "agent" && (rule.authorKind !== "agent" || rule.author !== caller.name)) {
      return refuse("forbidden", `The rule "${rule.name}" was made by ${rule.author}.`, {
        hint: "Ask in the channel.",
      });
    }
    await ctx.store.rules.remove(id);
    await ctx.emit({ type: "rule.removed", space: rule.space, rule: id, by: callerName(caller) });
    return ok(toRuleView(rule));
  },
});
