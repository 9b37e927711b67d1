import type { z } from "zod";
import type { agentSettings } from "../../contract/agents.ts";
import type { AgentDefinition, Soul } from "../../domain/agent/definition.ts";
import { lacksModel } from "../../domain/agent/engines.ts";
import { parseModel } from "../../domain/agent/model.ts";
import { checkModel, withDefaultModel } from "../../domain/agent/named-model.ts";
import { checkAgentName } from "../../domain/names.ts";
import { parseWakeup } from "../../domain/schedule/schedule.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { ProjectDefaults } from "../../ports/definitions.ts";

export type AgentSettings = z.output<z.ZodObject<typeof agentSettings>> & { readonly systemFile?: string | undefined };

/** Returns the definition, after every check that needs no file. */
export function defineAgent(
  name: string,
  settings: AgentSettings,
  defaults: ProjectDefaults,
): Result<AgentDefinition, Refusal> {
  const refused = findMistake(name, settings, defaults);
  if (refused !== undefined) return refused;
  const { model, backend, provider, maxTokens, maxSteps, wakeup, wakeupPrompt } = settings;
  const soul = soulOf(settings);
  return ok({
    name,
    prompt: promptOf(name, settings),
    ...(model === undefined ? {} : { model }),
    ...(backend === undefined ? {} : { backend }),
    ...(provider === undefined ? {} : { provider: { name: provider } }),
    ...(Object.keys(soul).length === 0 ? {} : { soul }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(wakeup === undefined
      ? {}
      : { schedule: wakeupPrompt === undefined ? { wakeup } : { wakeup, prompt: wakeupPrompt } }),
  });
}

function findMistake(name: string, settings: AgentSettings, defaults: ProjectDefaults) {
  const { model, backend, provider, system, systemFile, wakeup, wakeupPrompt } = settings;
  const checks = [
    checkAgentName(name),
    model === undefined ? ok(undefined) : parseModel(model),
    wakeup === undefined ? ok(undefined) : parseWakeup(wakeup),
  ];
  for (const check of checks) if (!check.ok) return check;
  if (system !== undefined && systemFile !== undefined) {
    return refuse("invalid", "The system prompt is given twice: as text and as a file.", { hint: "Give one of them." });
  }
  if (wakeupPrompt !== undefined && wakeup === undefined) {
    return refuse("invalid", "There is a prompt for waking up, and no time to wake up at.", { hint: "Add wakeup." });
  }
  const chosen = {
    ...(model === undefined ? {} : { model }),
    ...(backend === undefined ? {} : { backend }),
    ...(provider === undefined ? {} : { provider: { name: provider } }),
  };
  const effective = withDefaultModel({ ...(defaults.backend && { backend: defaults.backend }), ...chosen }, defaults);
  if (lacksModel(effective)) {
    return refuse("invalid", `${name} has no model, and the sdk engine needs one.`, {
      hint: "Name a model as provider/model, or auto, or choose another backend.",
    });
  }
  const known = checkModel(effective);
  return known.ok ? undefined : known;
}

function promptOf(name: string, { system, systemFile }: AgentSettings): AgentDefinition["prompt"] {
  if (systemFile !== undefined) return { systemFile };
  return { system: system === undefined || system.trim() === "" ? `You are ${name}.` : system };
}

function soulOf({ role, expertise, style, principles }: AgentSettings): Soul {
  return {
    ...(role === undefined ? {} : { role }),
    ...(expertise === undefined || expertise.length === 0 ? {} : { expertise }),
    ...(style === undefined ? {} : { style }),
    ...(principles === undefined || principles.length === 0 ? {} : { principles }),
  };
}
