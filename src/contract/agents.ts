import { z } from "zod";
import { laneView } from "./messages.ts";

/** Agents of a project as every face shows them. */
export const agentView = z.object({
  name: z.string(),
  /** Ephemeral ones live in the daemon's memory: no file, no personal context. */
  source: z.enum(["file", "ephemeral"]),
  model: z.string().nullable(),
  backend: z.string(),
  /** Active: attached to a workspace. Either way it takes direct messages. */
  state: z.enum(["idle", "active"]),
  workspaces: z.array(z.string()),
  /** Deliveries that wait or are being worked on. */
  open: z.record(laneView, z.int()),
});
export type AgentView = z.output<typeof agentView>;

/** Counts only: the content is read with its own operations. */
export const contextSummaryView = z.object({
  memory: z.int(),
  notes: z.int(),
  openTodos: z.int(),
  lastConversation: z.string().nullable(),
});
export type ContextSummaryView = z.output<typeof contextSummaryView>;

/** Values that may hold secrets (environment, MCP servers) are left out: their names are shown. */
export const agentDetailView = agentView.extend({
  prompt: z.union([z.object({ system: z.string() }), z.object({ systemFile: z.string() })]),
  soul: z.record(z.string(), z.unknown()),
  provider: z.string().nullable(),
  maxTokens: z.int().nullable(),
  maxSteps: z.int().nullable(),
  timeoutMs: z.int().nullable(),
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
  /** Null for an ephemeral agent, which has none. */
  context: contextSummaryView.nullable(),
});
export type AgentDetailView = z.output<typeof agentDetailView>;

export const createdAgentView = z.object({
  name: z.string(),
  /** Its definition, relative to the project; null for an ephemeral agent. */
  file: z.string().nullable(),
});

/** A definition file that could not be used as it is, with the place to look at. */
export const definitionProblemView = z.object({
  severity: z.enum(["error", "warning"]),
  file: z.string(),
  line: z.int(),
  column: z.int(),
  message: z.string(),
});
