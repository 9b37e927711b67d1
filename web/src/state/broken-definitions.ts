import type { DefinitionProblemView } from "../../../src/contract/agents.ts";

/** Counts the definition files that cannot be used. */
export function countBroken(problems: readonly DefinitionProblemView[]): number {
  return new Set(problems.filter(({ severity }) => severity === "error").map(({ file }) => file)).size;
}
