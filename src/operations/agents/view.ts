import type { AgentDetailView, AgentView, ContextSummaryView, DefinitionProblemView } from "../../contract/agents.ts";
import type { GrantView } from "../../contract/spaces/grants.ts";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { DEFAULT_ENGINE } from "../../domain/agent/engines.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import type { Services } from "../core/define.ts";
import { workflowOf } from "../runs/run-agent.ts";
import { addressOf } from "../runs/waiting-runs.ts";
import type { AgentActivity, WorkspaceAgent } from "./agent-activity.ts";

export function toAgentView(
  { trust, definitions }: Pick<Services, "trust" | "definitions">,
  definition: AgentDefinition,
  activity: AgentActivity,
): AgentView {
  const source = definitions.isEphemeral(definition.name) ? "ephemeral" : "file";
  return { name: definition.name, source, ...common({ trust }, definition, activity, null) };
}

/** Of an agent that exists only in a workspace. */
export function toWorkspaceAgentView(
  services: Pick<Services, "trust">,
  { space, agent, activity }: WorkspaceAgent,
  definition: AgentDefinition,
): AgentView {
  const name = addressOf(agent, space);
  return { name, source: "workflow", ...common(services, definition, activity, workflowOf(space)) };
}

function common(
  { trust }: Pick<Services, "trust">,
  definition: AgentDefinition,
  { state, until, work, workspaces, open, node }: AgentActivity,
  workflow: string | null,
): Omit<AgentView, "name" | "source"> {
  const projectRests = trust.kind() !== "trusted";
  const rests = projectRests || trust.unseenOfAgent(definition, workflow).length > 0;
  // A run that has begun goes on, unless the whole project rests.
  const showsRest = projectRests || (rests && state !== "running");
  return {
    model: definition.model ?? null,
    backend: definition.backend ?? DEFAULT_ENGINE,
    state: showsRest ? "rests" : state,
    until: showsRest ? null : until,
    work: projectRests ? null : work,
    workspaces: [...workspaces],
    open,
    rests,
    node: projectRests ? null : node,
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
  grants: readonly GrantView[],
): AgentDetailView {
  const { prompt, soul, provider, maxTokens, maxSteps, timeoutMs, timeouts, schedule, tools, mcpServers, env } =
    definition;
  return {
    ...agent,
    prompt,
    soul: { ...soul },
    provider: provider?.name ?? null,
    maxTokens: maxTokens ?? null,
    maxSteps: maxSteps ?? null,
    timeoutMs: timeoutMs ?? null,
    timeouts: { ...timeouts },
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
    grants: [...grants],
  };
}
