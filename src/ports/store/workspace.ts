import type { DocumentProvider, WorkspaceProvider } from "../../domain/workflow/definition.ts";

/** An instance of a workspace, open or closed. Its key is the text form of its space. */
export interface WorkspaceRecord {
  readonly key: string;
  /** Counts the instances of a workspace, from 1. */
  readonly instance: number;
  /** A later instance has begun: it is closed forever, and its key has its number. */
  readonly earlier: boolean;
  readonly workflow: string;
  readonly tag: string;
  readonly state: "open" | "closed";
  readonly provider: WorkspaceProvider;
  readonly documents: DocumentProvider;
  /** False: agents get direct messages only. */
  readonly channel: boolean;
  /** Folder of documents and mirror, relative to the project. */
  readonly dir: string;
  /** The channel is also written to a file. */
  readonly mirrored: boolean;
  /** Default document, and file name of the channel's mirror. */
  readonly documentFile: string;
  readonly channelFile: string;
  /** The only agent that may write documents; null = everyone may. */
  readonly documentOwner: string | null;
  /** `documentOwner` of the workflow's file, as it was last followed; null when it has none. */
  readonly ownerSetting: string | null;
  readonly openedAt: number;
  readonly closedAt: number | null;
  /** The file it was started from, relative to the project where it is inside; null for a workflow of the project. */
  readonly file: string | null;
}

/** A membership. What the agent is, the files say: see `operations/runs/run-agent.ts`. */
export interface ParticipantRecord {
  readonly space: string;
  /** Its name in the workspace. */
  readonly agent: string;
  /** Order of joining: the order `@all` expands to. */
  readonly position: number;
  /** The agent of the project that it is, with its mailbox and personal context; null when it exists only here. */
  readonly ref: string | null;
  /** What a person or a ballot made it in this workspace; null: the role of its soul. */
  readonly role: string | null;
  /** What the agent says it is doing. */
  readonly task: string | null;
  readonly mood: string | null;
}

export type Member = Pick<ParticipantRecord, "agent" | "ref">;

export type WorkspaceStatus = Pick<WorkspaceRecord, "state" | "channel" | "openedAt" | "workflow" | "file">;

export interface WorkspaceReads {
  byKey(key: string): Promise<WorkspaceRecord | undefined>;
  /** The part that is needed to accept a message or to store a step. */
  status(key: string): Promise<WorkspaceStatus | undefined>;
  /** The current instance of each workspace, without sub-spaces. */
  list(query?: { readonly state?: "open" | "closed" }): Promise<WorkspaceRecord[]>;
  /**
   * The sub-spaces of an instance of a workspace, open and closed, in the order of opening. Without `earlier` those of
   * the current one.
   */
  within(
    workspace: Pick<WorkspaceRecord, "workflow" | "tag"> & Partial<Pick<WorkspaceRecord, "instance" | "earlier">>,
  ): Promise<WorkspaceRecord[]>;
  /** The earlier instances of a workspace, newest first. */
  earlier(workspace: Pick<WorkspaceRecord, "workflow" | "tag">): Promise<WorkspaceRecord[]>;
  participant(space: string, agent: string): Promise<ParticipantRecord | undefined>;
  /** In the order of joining. */
  participants(space: string): Promise<ParticipantRecord[]>;
  /** The participants in the order of joining, without their status. */
  roster(space: string): Promise<Member[]>;
  member(space: string, agent: string): Promise<Member | undefined>;
  /** Keys of the open workspaces in which the agent of the project, or an agent of this name, takes part. */
  workspacesOf(agent: string): Promise<string[]>;
}

export interface WorkspaceWrites {
  /** Opens a new workspace or a closed one, whose messages and documents stay. `provider` decides where its space is. */
  open(workspace: WorkspaceRecord): Promise<void>;
  close(key: string, at: number): Promise<void>;
  /**
   * Makes a closed workspace an earlier instance: moves it, with everything in its space, to the key with its number.
   * Nothing is left under its own key, except what was used there by its agents on each day. Only the last few
   * instances of a workspace in memory are kept. Returns the new key.
   */
  setAside(workspace: Pick<WorkspaceRecord, "key" | "instance">): Promise<string>;
  setDocumentOwner(key: string, owner: string | null): Promise<void>;
  setOwnerSetting(key: string, setting: string | null): Promise<void>;
  /** Replaces the participants of a workspace. */
  setParticipants(space: string, participants: readonly ParticipantRecord[]): Promise<void>;
  setRole(space: string, agent: string, role: string | null): Promise<void>;
  setStatus(space: string, agent: string, status: Pick<ParticipantRecord, "task" | "mood">): Promise<void>;
}
