import type { CausalLimits } from "../domain/causal/budget.ts";
import { parseSpace } from "../domain/message/space.ts";
import type { Facilities } from "./define.ts";

/** The limits of the chains of messages in a space: the closest of the workflow's, the project's and the built-in. */
export function chainLimits({ definitions, causalLimits }: Facilities, space: string): CausalLimits {
  const parsed = parseSpace(space);
  if (!parsed.ok || parsed.value.kind === "dm") return causalLimits;
  const budget = definitions.workflow(parsed.value.workflow)?.budget;
  if (budget === undefined) return causalLimits;
  return {
    hops: budget.hops ?? causalLimits.hops,
    turns: budget.turns ?? causalLimits.turns,
    tokens: budget.tokens ?? causalLimits.tokens,
  };
}
