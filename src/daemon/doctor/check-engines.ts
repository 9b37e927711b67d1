import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { DEFAULT_ENGINE } from "../../domain/agent/engines.ts";
import { addCommand } from "../../domain/agent/providers.ts";
import { findProviderPackage, type PackagePlaces } from "../../engines/sdk/provider-packages.ts";
import { resolveModel } from "../../engines/sdk/resolve-model.ts";
import type { EngineStatus } from "../list-engines.ts";
import { fine, warning, wrong, type Finding } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What agents on this machine can use. */
export interface Machine {
  /** With the keys that are stored. */
  readonly env: Environment;
  readonly nameable: Environment;
  readonly sure: boolean;
  readonly packages: PackagePlaces;
}

/**
 * Checks whether every agent could run: its program and its provider are installed, its key is set. Keys are looked up in
 * `env`. A running daemon has its own environment: then `sure` is false, and a missing key is only a warning.
 */
export function checkEngines(
  engines: readonly EngineStatus[],
  agents: readonly AgentDefinition[],
  machine: Machine,
): Finding[] {
  const usable = engines.filter(({ found, next }) => found && next === null);
  const names = usable.map(({ name, version }) => (version === null ? name : `${name} ${version}`));
  const findings = [fine("engines", `ready: ${names.join(", ")}`)];
  for (const agent of agents) {
    const { name, backend = DEFAULT_ENGINE } = agent;
    const engine = engines.find((each) => each.name === backend);
    if (backend === "sdk") findings.push(...modelFindings(agent, machine));
    else if (engine === undefined || engine.program === null || engine.next === null) continue;
    else if (!engine.found) {
      findings.push(wrong("engines", `${name} runs on ${backend}, which is not installed`, engine.next));
    } else {
      const why = engine.login === "no" ? "nobody is logged in" : "it cannot be used as it is";
      findings.push(warning("engines", `${name} runs on ${backend}, and ${why}`, engine.next));
    }
  }
  return findings;
}

function modelFindings(agent: AgentDefinition, { env, nameable, sure, packages }: Machine): Finding[] {
  const model = resolveModel(agent, env, nameable);
  if (!model.ok) {
    const { message, hint } = model.error;
    return [(sure ? wrong : warning)("providers", `${agent.name}: ${message}`, hint ?? "See: agent-worker providers")];
  }
  const { provider, package: name } = model.value;
  if (findProviderPackage(name, packages) !== undefined) return [];
  return [wrong("providers", `${agent.name} needs the package ${name}`, `Install it with: ${addCommand(provider)}`)];
}
