import { z } from "zod";

/** Workspaces and who takes part in them, as every face shows them. */
export const workspaceView = z.object({
  /** `@review:pr-1`: the key of its space. */
  space: z.string(),
  /** `review:pr-1`, the default tag left out: what people call it. */
  name: z.string(),
  workflow: z.string(),
  tag: z.string(),
  state: z.enum(["open", "closed"]),
  provider: z.enum(["sqlite", "file", "memory"]),
  documents: z.enum(["file", "sqlite"]),
  /** False: agents get direct messages only. */
  channel: z.boolean(),
  /** Folder of its files, relative to the project. */
  dir: z.string(),
  /** The only agent that may write documents; null = everyone, or nobody yet while `electing`. */
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
  role: z.string().nullable(),
  /** What it says it is doing, and how it is getting on. */
  task: z.string().nullable(),
  state: z.string().nullable(),
  /** Messages that wait for it here. */
  waiting: z.int(),
});
export type MemberView = z.output<typeof memberView>;

export const workspaceDetailView = workspaceView.extend({
  members: z.array(memberView),
  openBallots: z.int(),
});
