import { resolveEntry } from "../../domain/agent/resolve.ts";
import { modelWithoutCost } from "../../domain/budget/known-cost.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import type { Prices } from "../../ports/prices.ts";
import type { LoadedAgent, LoadedWorkflow } from "../definitions/load-definition.ts";
import { problem } from "../yaml/problem.ts";

/** Warns of limits of cost that end the work after one step, because nobody knows what it costs. */
export function unknownCosts(
  agents: ReadonlyMap<string, LoadedAgent>,
  workflows: ReadonlyMap<string, LoadedWorkflow>,
  prices: Prices,
): readonly DefinitionProblem[] {
  const hasPrice = (model: string): boolean => prices.of(model) !== undefined;
  const ofAgents = [...agents.values()].flatMap(({ definition, file, costPlace }) => {
    if (definition.budget?.costUsd === undefined) return [];
    const model = modelWithoutCost(definition, hasPrice);
    return model === undefined ? [] : [problem(file, costPlace, sentence(definition.name, model), hintFor(model))];
  });
  const ofWorkflows = [...workflows.values()].flatMap(({ definition, file, costPlace }) => {
    if (definition.budget?.costUsd === undefined) return [];
    return Object.entries(definition.agents).flatMap(([name, entry]) => {
      const resolved = resolveEntry(name, entry, (ref) => agents.get(ref)?.definition);
      const model = resolved.ok ? modelWithoutCost(resolved.value.definition, hasPrice) : undefined;
      return model === undefined ? [] : [problem(file, costPlace, sentence(name, model), hintFor(model))];
    });
  });
  return [...ofAgents, ...ofWorkflows];
}

function sentence(agent: string, model: string): string {
  return `What ${agent} costs on ${model} is not known, so this limit ends its work after one step.`;
}

function hintFor(model: string) {
  return {
    severity: "warning",
    path: ["budget", "cost_usd"],
    hint: `Write its price into the project file (moniro.yaml): prices: {"${model}": {input: 1, output: 5}}, or limit tokens or turns.`,
  } as const;
}
