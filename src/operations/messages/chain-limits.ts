import type { CausalLimits } from "../../domain/causal/budget.ts";
import { workflowOf } from "../../domain/message/space.ts";
import type { Services } from "../core/define.ts";

/** The limits of the chains of messages in a space: the closest of the workflow's, the project's and the built-in. */
export function chainLimits({ definitions, causalLimits }: Services, space: string): CausalLimits {
  const workflow = workflowOf(space);
  const budget = workflow === undefined ? undefined : definitions.workflow(workflow)?.budget;
  if (budget === undefined) return causalLimits;
  return {
    hops: budget.hops ?? causalLimits.hops,
    turns: budget.turns ?? causalLimits.turns,
    tokens: budget.tokens ?? causalLimits.tokens,
  };
}
