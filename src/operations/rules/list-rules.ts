import * as contract from "../../contract/rules.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { callerSpace, spaceKey } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { toRuleView } from "./view.ts";

export const listRules = query(contract.listRules, {
  access: participants,
  space: (data, caller) => spaceKey(data.target, caller),

  async answer({ target }, ctx) {
    if (target === undefined && ctx.caller.kind !== "agent") {
      const found = await ctx.readEverywhere((store) => store.rules.list());
      return ok({ rules: found.flat().map(toRuleView) });
    }
    const space = callerSpace(target, ctx.caller);
    if (!space.ok) return space;
    const rules = await ctx.read((store) => store.rules.list(formatSpace(space.value)));
    return ok({ rules: rules.map(toRuleView) });
  },
});
