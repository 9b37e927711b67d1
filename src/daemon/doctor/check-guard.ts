import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { addCommand } from "../../domain/agent/providers.ts";
import { embeddingOf } from "../../domain/guard/embedding-of.ts";
import { guardOf } from "../../domain/guard/guard-of.ts";
import { findProviderPackage } from "../../engines/sdk/provider-packages.ts";
import { resolveModel } from "../../engines/sdk/resolve-model.ts";
import type { Machine } from "./check-engines.ts";
import { fine, warning, wrong, type Finding } from "./finding.ts";

type NamedChoice = Pick<AgentDefinition, "model" | "provider"> & { readonly model: string };

/**
 * Checks the models that the guard asks for agents, and those that embed memories: their names, keys and packages. Without
 * them rules decide, so nothing else would show it. `sure` is false while a daemon runs: it has its own environment.
 */
export function checkGuard(agents: readonly AgentDefinition[], { env, nameable, sure, packages }: Machine): Finding[] {
  const uses = agents.flatMap((agent) => {
    const guard = guardOf(agent);
    const embedding = embeddingOf(agent);
    return [
      ...(guard.model === undefined ? [] : [useOf(`the guard of ${agent.name}`, { ...guard, model: guard.model })]),
      ...(embedding === undefined ? [] : [useOf(`the memory of ${agent.name}`, embedding)]),
    ];
  });
  if (uses.length === 0) return [];
  const findings = uses.flatMap(({ owner, choice }): Finding[] => {
    const model = resolveModel(choice, env, nameable);
    if (!model.ok) {
      const { message, hint } = model.error;
      const said = `${owner} names ${choice.model}, and rules decide instead: ${message.replace(/\.$/, "")}`;
      return [(sure ? wrong : warning)("guard", said, hint ?? "See: agent-worker providers")];
    }
    const { provider, package: name } = model.value;
    if (findProviderPackage(name, packages) !== undefined) return [];
    return [wrong("guard", `${owner} needs the package ${name}`, `Install it with: ${addCommand(provider)}`)];
  });
  if (findings.length > 0) return findings;
  const models = [...new Set(uses.map(({ choice }) => choice.model))];
  return [fine("guard", `asks ${models.join(", ")}`)];
}

function useOf(owner: string, { model, provider }: NamedChoice) {
  return { owner, choice: { model, ...(provider === undefined ? {} : { provider }) } };
}
