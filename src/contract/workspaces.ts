import { z } from "zod";
import { definitionProblemView } from "./agents.ts";
import { DEFAULT_TAG } from "../domain/names.ts";
import { grantView } from "./spaces/grants.ts";
import { declareProposal, declareQuery } from "./operation.ts";
import { subSpaceView } from "./spaces/sub-spaces.ts";

/** A workspace of a workflow. */
export const workspaceView = z.object({
  /** The key of its space: `@review:pr-1`. */
  space: z.string(),
  /** `review:pr-1`, or `review` for the default tag. */
  name: z.string(),
  workflow: z.string(),
  tag: z.string(),
  /** Counts the instances of the workspace, from 1. An earlier one has its number in `space`: `@review:pr-1~2`. */
  instance: z.int(),
  state: z.enum(["open", "closed"]),
  provider: z.enum(["sqlite", "file", "memory"]),
  documents: z.enum(["file", "sqlite"]),
  /** When false, its agents get direct messages only. */
  channel: z.boolean(),
  /** The folder of its files, relative to the project. */
  dir: z.string(),
  /** The only agent that may write documents. Null when every agent may; while `electing`, no agent may. */
  documentOwner: z.string().nullable(),
  electing: z.boolean(),
  /** In the order of joining. */
  participants: z.array(z.string()),
  openedAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable(),
});
export type WorkspaceView = z.output<typeof workspaceView>;

export const memberView = z.object({
  agent: z.string(),
  /** An agent of the project, or one that exists in this workspace only. */
  source: z.enum(["project", "workflow"]),
  /** The agent of the project that it is, which may have another name. Null for one that exists in this workspace only. */
  ref: z.string().nullable(),
  role: z.string().nullable(),
  /** Task and state as the agent has set them. */
  task: z.string().nullable(),
  state: z.string().nullable(),
  /** Number of its open deliveries in the workspace. */
  waiting: z.int(),
  /** It begins no run, because no person has allowed what it can do. See `show-trust`. */
  rests: z.boolean(),
  /** Why it begins no run, when no file defines it or its file has a mistake. Null otherwise. */
  missing: z.string().nullable(),
  /** What it has by grants here. */
  grants: z.array(grantView.omit({ space: true, agent: true })),
});
export type MemberView = z.output<typeof memberView>;

export const earlierInstanceView = workspaceView.pick({ space: true, instance: true, openedAt: true, closedAt: true });
export type EarlierInstanceView = z.output<typeof earlierInstanceView>;

export const workspaceDetailView = workspaceView.extend({
  members: z.array(memberView),
  openBallots: z.int(),
  /** Its sub-spaces, in the order of opening. */
  spaces: z.array(subSpaceView),
  /** The earlier instances, newest first. They can only be read. */
  earlier: z.array(earlierInstanceView),
});

/** A parameter of a workflow. */
export const paramView = z.object({
  name: z.string(),
  type: z.enum(["string", "number", "boolean"]),
  description: z.string().nullable(),
  /** True when it has no default and the workflow does not start without it. */
  required: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  choices: z.array(z.string()).nullable(),
});
export type ParamView = z.output<typeof paramView>;

export const workflowView = z.object({
  name: z.string(),
  /** In the order of joining. */
  agents: z.array(z.string()),
  params: z.array(paramView),
  /** When false, no agent starts until a person writes. */
  kickoff: z.boolean(),
});
export type WorkflowView = z.output<typeof workflowView>;

const MAX_STATUS_CHARS = 200;

/** A single line, so that it cannot imitate another line of the list of members. */
const statusLine = z
  .string()
  .max(MAX_STATUS_CHARS)
  .transform((text) => text.replace(/\s+/gu, " ").trim());

export const listWorkspaces = declareQuery({
  name: "list-workspaces",
  summary: "List the workspaces of the project, open and closed.",
  personTool: "workflow_list",
  method: "GET",
  path: "/workflows",
  input: z.object({ state: z.enum(["open", "closed"]).optional() }),
  output: z.object({ workspaces: z.array(workspaceView) }),
});

/** A workflow that cannot be started, because a file has a mistake. */
export const brokenWorkflowView = z.object({ name: z.string(), problem: definitionProblemView });
export type BrokenWorkflowView = z.output<typeof brokenWorkflowView>;

export const listWorkflows = declareQuery({
  name: "list-workflows",
  summary: "List the workflows that can be started, with their agents and the parameters they take.",
  method: "GET",
  path: "/workflows/files",
  personTool: "workflow_definitions",
  input: z.object({}),
  output: z.object({ workflows: z.array(workflowView), broken: z.array(brokenWorkflowView) }),
});

export const listStartVariables = declareQuery({
  name: "list-start-variables",
  summary: "List which variables of the caller a start of a workflow uses. Refused until a person has allowed it.",
  method: "GET",
  path: "/workflows/variables",
  input: z.object({ workflow: z.string().describe("Its name in the project, or the absolute path of its file.") }),
  /** A name that ends in `*` is a beginning. */
  output: z.object({ names: z.array(z.string()) }),
});

export const openWorkspace = declareProposal({
  name: "open-workspace",
  summary: "Open a workspace of a workflow, empty unless it has a folder of its own, and let its agents join.",
  method: "POST",
  path: "/workflows/open",
  input: z.object({
    workflow: z.string(),
    tag: z.string().default(DEFAULT_TAG),
    file: z.string().nullable().default(null).describe("The file of the workflow, where it is none of the project."),
    continue: z.boolean().default(false).describe("Go on in the last instance instead of beginning a new one."),
  }),
  output: workspaceView,
});

export const showWorkspace = declareQuery({
  name: "show-workspace",
  summary: "Show one workspace: its state, its members, and what waits in it.",
  personTool: "workflow_show",
  method: "GET",
  path: "/workflows/:target",
  input: z.object({ target: z.string().optional().describe("@review or @review:pr-1. Agents: leave it out.") }),
  output: workspaceDetailView,
});

export const closeWorkspace = declareProposal({
  name: "close-workspace",
  summary: "Close a workspace: its agents leave, its messages and documents stay.",
  personTool: "workflow_stop",
  method: "DELETE",
  path: "/workflows/:target",
  input: z.object({
    target: z.string().describe("@review or @review:pr-1"),
    reason: z.string().max(4000).optional().describe("Said in the channel, for whoever reads it later."),
  }),
  output: workspaceView,
});

export const listMembers = declareQuery({
  name: "list-members",
  summary: "List who takes part in a workspace: role, current task, state, and how many messages wait for each.",
  method: "GET",
  path: "/members",
  input: z.object({ target: z.string().optional().describe("@review or @review:pr-1. Agents: leave it out.") }),
  output: z.object({ space: z.string(), members: z.array(memberView) }),
});

export const setRole = declareProposal({
  name: "set-role",
  summary: "Say what a participant is in a workspace: its role there, until the workspace closes.",
  method: "PUT",
  path: "/members/:agent/role",
  input: z.object({
    target: z.string().optional().describe("@review or @review:pr-1"),
    agent: z.string(),
    role: statusLine.nullable().describe("Null: the role of its soul again."),
  }),
  output: z.object({ space: z.string(), agent: z.string(), role: z.string().nullable() }),
});

export const setStatus = declareProposal({
  name: "set-status",
  summary: "Say what you are working on and how it is going; the others see it in the list of members.",
  method: "PUT",
  path: "/members/me/status",
  input: z.object({
    task: statusLine.nullable().optional().describe("What you are doing now; null when it is done."),
    state: statusLine.nullable().optional().describe('How it is going, for example "working", "blocked", "done".'),
  }),
  output: z.object({ task: z.string().nullable(), state: z.string().nullable() }),
});
