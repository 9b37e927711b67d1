import { posix } from "node:path";
import { stringify } from "yaml";
import type {
  AgentDefinition,
  Budget,
  ProviderChoice,
  RuntimeSettings,
  SystemPrompt,
  SilenceLimits,
} from "../../domain/agent/definition.ts";
import type { GuardSettings } from "../../domain/agent/guard-settings.ts";
import type { EmbeddingChoice } from "../../domain/agent/model.ts";
import { formatDuration } from "../../domain/schedule/duration.ts";
import { defined } from "./normalise/defined.ts";
import type { AgentFile } from "./schema/agent-schema.ts";
import { modeline } from "./schema/json-schema.ts";

/** Returns the text of `.agents/<name>.yaml` for a definition. The loader reads it back as the same definition. */
export function agentYaml(definition: AgentDefinition, folder: string): string {
  const { name, prompt, soul, memory, guard, contextDir } = definition;
  const file = {
    name,
    ...modelPart(definition),
    prompt: promptPart(prompt, folder),
    soul,
    context: contextDir === undefined ? undefined : { dir: contextDir },
    memory: memory && {
      budget: memory.budget,
      auto_load: memory.autoLoad,
      search: memory.search,
      archive: memory.archive,
      embedding: memory.embedding && embeddingPart(memory.embedding),
    },
    guard: guard && guardPart(guard),
    ...runtimePart(definition),
  };
  return `${modeline("agent")}\n${stringify(withoutUndefined(file), { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

function guardPart({ provider, budget, ...guard }: GuardSettings) {
  return {
    ...guard,
    provider: provider && providerPart(provider),
    budget: budget && {
      prompt: budget.promptTokens,
      answer: budget.answerTokens,
      time: durationPart(budget.timeMs),
      per_day: budget.tokensPerDay,
    },
  };
}

function embeddingPart({ model, provider }: EmbeddingChoice) {
  return provider === undefined ? model : { model, provider: providerPart(provider) };
}

function modelPart(settings: RuntimeSettings) {
  return {
    model: settings.fallbackModels === undefined ? settings.model : [settings.model, ...settings.fallbackModels],
    backend: settings.backend,
    provider: settings.provider && providerPart(settings.provider),
  };
}

function runtimePart(settings: RuntimeSettings) {
  const { schedule } = settings;
  return {
    max_tokens: settings.maxTokens,
    max_steps: settings.maxSteps,
    timeout: durationPart(settings.timeoutMs),
    timeouts: settings.timeouts && timeoutsPart(settings.timeouts),
    schedule: schedule && {
      wakeup: schedule.wakeup,
      prompt: schedule.prompt,
      workspace: schedule.workspace,
      tz: schedule.timeZone,
    },
    tools: settings.tools && [...settings.tools],
    mcp_servers: settings.mcpServers,
    permissions: settings.permissions,
    budget: settings.budget && budgetPart(settings.budget),
    env: settings.env,
    cwd: settings.cwd,
    worktree: settings.worktree && (settings.worktree.branch ?? true),
    runs_on: settings.runsOn && { ...settings.runsOn, labels: settings.runsOn.labels && [...settings.runsOn.labels] },
    command: settings.command,
  };
}

/** Writes a path relative to the definition, where the loader looks first. */
function promptPart(prompt: SystemPrompt, folder: string): NonNullable<AgentFile["prompt"]> {
  return "system" in prompt ? { system: prompt.system } : { system_file: posix.relative(folder, prompt.systemFile) };
}

function providerPart(provider: ProviderChoice) {
  const { name, baseUrl, apiKeyEnv }: { name: string; baseUrl?: string; apiKeyEnv?: string } = provider;
  if (baseUrl === undefined && apiKeyEnv === undefined) return name;
  return { name, base_url: baseUrl, api_key: apiKeyEnv === undefined ? undefined : `$${apiKeyEnv}` };
}

function budgetPart(budget: Budget) {
  return {
    tokens: budget.tokens,
    turns: budget.turns,
    hops: budget.hops,
    cost_usd: budget.costUsd,
    wall_time: durationPart(budget.wallTimeMs),
  };
}

function timeoutsPart({ connectMs, firstByteMs, betweenMs, stepMs }: SilenceLimits) {
  return {
    connect: durationPart(connectMs),
    first_byte: durationPart(firstByteMs),
    between: durationPart(betweenMs),
    step: durationPart(stepMs),
  };
}

function durationPart(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatDuration(ms);
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(defined(value)).map(([key, inner]) => [key, withoutUndefined(inner)]));
}
