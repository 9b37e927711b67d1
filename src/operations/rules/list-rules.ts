import * as contract from "../../contract/rules.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { toRuleView } from "./view.ts";

export const listRules = query(contract.listRules, {
  access: participants,

  async execute({ target }, ctx) {
    const isEverywhere = target === undefined && ctx.caller.kind !== "agent";
    const space = isEverywhere ? undefined : callerSpace(target, ctx.caller);
    if (space?.ok === false) return space;
    const rules = await ctx.read((store) => store.rules.list(space && formatSpace(space.value)));
    return ok({ rules: rules.map(toRuleView) });
  },
});
