import type { AgentDetailView, AgentView, ContextSummaryView, DefinitionProblemView } from "../../contract/agents.ts";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { DEFAULT_ENGINE } from "../../domain/agent/engines.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import type { Services } from "../core/define.ts";
import type { AgentActivity } from "./agent-activity.ts";

export function toAgentView(
  { trust, definitions }: Pick<Services, "trust" | "definitions">,
  definition: AgentDefinition,
  activity: AgentActivity,
): AgentView {
  return {
    name: definition.name,
    source: definitions.isEphemeral(definition.name) ? "ephemeral" : "file",
    model: definition.model ?? null,
    backend: definition.backend ?? DEFAULT_ENGINE,
    state: activity.workspaces.length === 0 ? "idle" : "active",
    workspaces: [...activity.workspaces],
    open: activity.open,
    rests: trust.kind() !== "trusted" || trust.unseenOfAgent(definition, null).length > 0,
  };
}

export function toProblemView(problem: DefinitionProblem): DefinitionProblemView {
  const { severity, file, line, column, message } = problem;
  return { severity, file, line, column, message };
}

export function toAgentDetailView(
  definition: AgentDefinition,
  agent: AgentView,
  context: ContextSummaryView | null,
): AgentDetailView {
  const { prompt, soul, provider, maxTokens, maxSteps, timeoutMs, schedule, tools, mcpServers, env } = definition;
  return {
    ...agent,
    prompt,
    soul: { ...soul },
    provider: provider?.name ?? null,
    maxTokens: maxTokens ?? null,
    maxSteps: maxSteps ?? null,
    timeoutMs: timeoutMs ?? null,
    schedule:
      schedule === undefined
        ? null
        : {
            wakeup: schedule.wakeup,
            prompt: schedule.prompt ?? null,
            workspace: schedule.workspace ?? null,
            timeZone: schedule.timeZone ?? null,
          },
    tools: tools === undefined ? null : [...tools],
    mcpServers: Object.keys(mcpServers ?? {}),
    env: Object.keys(env ?? {}),
    context,
  };
}
