import { z } from "zod";
import { COMMANDLESS_ENGINES } from "../domain/agent/engines.ts";
import { grantView } from "./spaces/grants.ts";
import { laneView } from "./messages.ts";
import { declareProposal, declareQuery } from "./operation.ts";
import { waitingRunView } from "./runs.ts";
import { trustKind } from "./trust.ts";

/** What an agent is doing: the run it executes, or the one that waits. */
export const agentWorkView = z.object({
  run: z.string(),
  space: z.string(),
  /** The beginning of the message it answers. Null when it is not stored any more. */
  message: z.string().nullable(),
  /** Since when it does what its state says: works without a break, waits, or is stopped. */
  since: z.iso.datetime(),
});

/** An agent of a project, or one that exists only in a workspace. */
export const agentView = z.object({
  /** As people type it: `alice`; for an agent that exists only in a workspace `helper@review`. */
  name: z.string(),
  /** An ephemeral agent exists in the daemon's memory only: it has no file and no personal context. */
  source: z.enum(["file", "ephemeral", "workflow"]),
  model: z.string().nullable(),
  backend: z.string(),
  /**
   * Running: it executes a run. Waiting: a person has to decide on a tool call. Parked: its run waits for quota, the
   * next attempt or its turn. Rests: it begins no run. It receives messages in all of them.
   */
  state: z.enum(["running", "waiting", "parked", "stopped", "rests", "idle"]),
  /** When a parked one goes on by itself. */
  until: z.iso.datetime().nullable(),
  work: agentWorkView.nullable(),
  workspaces: z.array(z.string()),
  /** Number of open deliveries by lane. */
  open: z.record(laneView, z.int()),
  /** It begins no run, because no person has allowed what it can do. See `show-trust`. */
  rests: z.boolean(),
  /** The node that executes its run; null when it executes none, or its node is not known any more. */
  node: z.string().nullable(),
});
export type AgentView = z.output<typeof agentView>;

/** What the personal context contains, in numbers. */
export const contextSummaryView = z.object({
  memory: z.int(),
  notes: z.int(),
  openTodos: z.int(),
  lastConversation: z.string().nullable(),
});
export type ContextSummaryView = z.output<typeof contextSummaryView>;

/** Environment variables and MCP servers may contain secrets: only their names are shown. */
export const agentDetailView = agentView.extend({
  prompt: z.union([z.object({ system: z.string() }), z.object({ systemFile: z.string() })]),
  soul: z.record(z.string(), z.unknown()),
  provider: z.string().nullable(),
  maxTokens: z.int().nullable(),
  maxSteps: z.int().nullable(),
  timeoutMs: z.int().nullable(),
  /** The limits for silence that its definition sets. */
  timeouts: z.object({
    connectMs: z.int().optional(),
    firstByteMs: z.int().optional(),
    betweenMs: z.int().optional(),
    stepMs: z.int().optional(),
  }),
  schedule: z
    .object({
      wakeup: z.string(),
      prompt: z.string().nullable(),
      workspace: z.string().nullable(),
      timeZone: z.string().nullable(),
    })
    .nullable(),
  tools: z.array(z.string()).nullable(),
  mcpServers: z.array(z.string()),
  env: z.array(z.string()),
  /** Null for an ephemeral agent. */
  context: contextSummaryView.nullable(),
  /** What it has by grants, in its direct messages and in open workspaces. */
  grants: z.array(grantView),
});
export type AgentDetailView = z.output<typeof agentDetailView>;

export const createdAgentView = z.object({
  name: z.string(),
  /** Its definition file, relative to the project. Null for an ephemeral agent. */
  file: z.string().nullable(),
});

/** A mistake in a definition file, with its position. */
export const definitionProblemView = z.object({
  severity: z.enum(["error", "warning"]),
  file: z.string(),
  line: z.int(),
  column: z.int(),
  message: z.string(),
});

export type DefinitionProblemView = z.output<typeof definitionProblemView>;

/** An agent whose file has a mistake. It begins no run, and what is sent to it waits until the file is mended. */
export const brokenAgentView = z.object({
  name: z.string(),
  /** Number of open deliveries by lane. */
  open: z.record(laneView, z.int()),
  problem: definitionProblemView,
});
export type BrokenAgentView = z.output<typeof brokenAgentView>;

/** An agent that works although its file was removed or has a mistake by now. */
export const removedAgentView = agentView.pick({ name: true, state: true, until: true, work: true, open: true });
export type RemovedAgentView = z.output<typeof removedAgentView>;

/** The tools of an agent in one space. */
export const agentToolsView = z.object({
  agent: z.string(),
  /** The name of the agent for direct messages, `@review:main` for a workspace. */
  space: z.string(),
  backend: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      source: z.enum(["team", "grant", "shell", "skills", "project"]),
      description: z.string().nullable(),
    }),
  ),
  /** MCP servers of its definition. Their tools are known only when it runs. */
  mcpServers: z.array(z.string()),
  /** True when its engine is a program that has more tools of its own. */
  ownProgram: z.boolean(),
});

const line = z.string().trim().min(1).max(1000);

/**
 * The fields of an agent that a request may set. Commands, environment variables and permissions are not among them:
 * they are set by editing the definition file.
 */
export const agentSettings = {
  model: line.optional().describe("provider/model, a short name the engine knows, or auto"),
  backend: z.enum(COMMANDLESS_ENGINES).optional().describe("The engine; sdk unless said otherwise."),
  provider: line.optional(),
  system: z
    .string()
    .max(256 * 1024)
    .optional()
    .describe("The system prompt."),
  role: line.optional(),
  expertise: z.array(line).max(100).optional(),
  style: line.optional(),
  principles: z.array(line).max(100).optional(),
  maxTokens: z.int().positive().optional(),
  maxSteps: z.int().positive().optional(),
  wakeup: line.optional().describe('When it wakes by itself: "5m" or "0 9 * * 1-5"'),
  wakeupPrompt: line.optional().describe("What it is told when it wakes."),
};

export const listAgents = declareQuery({
  name: "list-agents",
  summary: "List the agents of the project, what they are attached to and what waits for them.",
  personTool: "agent_list",
  method: "GET",
  path: "/agents",
  input: z.object({}),
  output: z.object({
    agents: z.array(agentView),
    broken: z.array(brokenAgentView),
    /** Agents that exist only in an open workspace. */
    workflowAgents: z.array(agentView),
    /** Agents that have no usable file any more and have not finished what they began. */
    removed: z.array(removedAgentView),
    /** The runs that wait, oldest first. */
    waits: z.array(waitingRunView),
    /** How many dead letters there are. */
    dead: z.int(),
    /** Agents with something to do that no node may run now, and why. */
    unplaced: z.array(z.object({ agent: z.string(), reason: z.string() })),
    /** Agents that the node which answers does not run, because its files are not those of the node that joined first. */
    refused: z.array(z.object({ agent: z.string(), reason: z.string(), next: z.string() })),
    /** Why an agent may be missing from the list. */
    problems: z.array(definitionProblemView),
    /** `trusted`, or why the whole project rests. */
    trust: trustKind,
    /** Why nothing is accepted, or that the database was begun anew. */
    storeProblem: z.string().nullable(),
  }),
});

export const createAgent = declareProposal({
  name: "create-agent",
  summary:
    "Create an agent of the project: its definition in .agents/NAME.yaml and the folder of its personal context.",
  personTool: "agent_create",
  method: "POST",
  path: "/agents",
  large: true,
  input: z.object({
    name: z.string(),
    ...agentSettings,
    systemFile: z.string().min(1).optional().describe("A file of the project that holds the system prompt."),
  }),
  output: createdAgentView,
});

export const createEphemeralAgent = declareProposal({
  name: "create-ephemeral-agent",
  summary: "Create an agent for now: no file and no personal context, gone when the daemon stops.",
  method: "POST",
  path: "/ephemeral-agents",
  large: true,
  input: z.object({
    name: z.string().optional().describe("agent-1, agent-2 and so on unless given."),
    ...agentSettings,
    context: z
      .boolean()
      .default(false)
      .describe("Make a workflow of its name, too: opened, it gives the agent a channel and documents."),
  }),
  output: createdAgentView,
});

export const promoteAgent = declareProposal({
  name: "promote-agent",
  summary: "Keep an ephemeral agent: write its definition to a file, under a name of its own.",
  method: "POST",
  path: "/agents/:from/promote",
  input: z.object({ from: z.string().describe("The ephemeral agent, such as agent-1"), name: z.string() }),
  output: createdAgentView.extend({ from: z.string() }),
});

export const showAgent = declareQuery({
  name: "show-agent",
  summary: "Show an agent: its definition, its soul, and how much it remembers.",
  personTool: "agent_show",
  method: "GET",
  path: "/agents/:name",
  input: z.object({ name: z.string() }),
  output: agentDetailView,
});

export const deleteAgent = declareProposal({
  name: "delete-agent",
  summary: "Delete an agent: its definition and, unless kept, its memory, notes, todos and conversations.",
  personTool: "agent_delete",
  method: "DELETE",
  path: "/agents/:name",
  input: z.object({ name: z.string(), keepContext: z.boolean().default(false) }),
  output: z.object({ name: z.string(), contextKept: z.boolean() }),
});

export const listTools = declareQuery({
  name: "list-tools",
  summary: "List the tools an agent gets: in direct messages, or in a workspace.",
  method: "GET",
  path: "/agents/:agent/tools",
  input: z.object({ agent: z.string().describe("alice, or alice@review for what she gets there") }),
  output: agentToolsView,
});
