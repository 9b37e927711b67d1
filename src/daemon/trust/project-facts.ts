import type { AgentDefinition, ScheduleSpec } from "../../domain/agent/definition.ts";
import { DEFAULT_ENGINE, engineKind } from "../../domain/agent/engines.ts";
import { guardOf } from "../../domain/guard/guard-of.ts";
import type { Definitions } from "../../ports/definitions.ts";

/**
 * What a person wants to know besides powers: which models are asked, who is woken without being asked, files that could
 * not be read, and a store that came with the project.
 */
export function listFacts(definitions: Definitions, bringsStore: boolean): readonly string[] {
  const broken = new Set(
    definitions
      .problems()
      .filter(({ severity }) => severity === "error")
      .map(({ file }) => file),
  );
  return [
    ...definitions
      .agents()
      .flatMap((agent) => [
        `${agent.name} ${engineFact(agent)}.`,
        ...guardFacts(agent),
        ...scheduleFacts(agent.name, agent.schedule),
      ]),
    ...definitions
      .workflows()
      .flatMap(({ name, agents }) => [
        `The workflow ${name} is a team of ${Object.keys(agents).length}.`,
        ...Object.entries(agents).flatMap(([agent, { schedule }]) => scheduleFacts(`${agent}@${name}`, schedule)),
      ]),
    ...[...broken].map((file) => `${file} has mistakes and is not read until they are mended.`),
    ...(bringsStore
      ? ["It comes with a database that was not made here: its schedules, rules and open work go on when you trust it."]
      : []),
  ];
}

function guardFacts(agent: AgentDefinition): readonly string[] {
  const { model } = guardOf(agent);
  const embedding = agent.memory?.embedding;
  return [
    ...(model === undefined ? [] : [`The guard of ${agent.name} asks the model ${model}.`]),
    ...(embedding === undefined ? [] : [`The memory of ${agent.name} is searched with the model ${embedding.model}.`]),
  ];
}

function scheduleFacts(who: string, schedule: ScheduleSpec | undefined): readonly string[] {
  return schedule === undefined ? [] : [`${who} is woken by itself: ${schedule.wakeup}.`];
}

function engineFact({ backend = DEFAULT_ENGINE, model, provider }: AgentDefinition): string {
  const kind = engineKind(backend);
  if (kind === "script") return "plays a script and asks no model";
  if (kind !== "api") return `works with its program (${backend})`;
  const isUsual = provider?.baseUrl === undefined && provider?.apiKeyEnv === undefined;
  return `asks the model ${model ?? "auto"}${isUsual ? ", with its provider's usual key" : ""}`;
}
