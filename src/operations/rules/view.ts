import type { RuleView } from "../../contract/rules.ts";
import type { RuleRecord } from "../../ports/store/proposals/rule.ts";

export function toRuleView(rule: RuleRecord): RuleView {
  const { authorKind: _, seen: _seen, lastFiredAt, createdAt, then, ...rest } = rule;
  return {
    ...rest,
    then: { propose: then.propose, data: { ...then.data } },
    lastFiredAt: lastFiredAt === null ? null : new Date(lastFiredAt).toISOString(),
    at: new Date(createdAt).toISOString(),
  };
}
