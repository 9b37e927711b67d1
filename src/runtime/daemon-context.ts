import type { Caller } from "../kernel/caller.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { ToolEndpoint, ToolHost } from "../ports/tools.ts";
import type { RunningProject } from "./running-project.ts";

/** The daemon as its faces see it: the projects it hosts, who is asking, and how it is doing. */
export interface DaemonContext {
  readonly version: string;
  /** Names this life of the daemon. */
  readonly instance: string;
  phase(): "starting" | "ready" | "draining";
  /** Why it is degraded, in words; none when all is well. */
  problems(): readonly string[];
  /** Opened on first use and known by its real path; without one, the daemon's first project. */
  project(path: string | undefined): Promise<Result<RunningProject, Refusal>>;
  openProjects(): readonly RunningProject[];
  /** From the token alone, compared in constant time; undefined for a token nobody has. */
  identify(token: string): Identity | undefined;
  /** Shows a caller that this is the daemon whose token it holds, before the caller sends that token. */
  prove(nonce: string): string;
  readonly runCredentials: Pick<RunCredentials, "size">;
  readonly page: PageSessions;
  /** Begins to drain; what is under way is parked and goes on with the next daemon. */
  shutdown(): void;
}

/** The browsers that are let in, in the name of the person. */
export interface PageSessions {
  /** A code that opens one session, soon. */
  invite(): { readonly code: string; readonly lastsMs: number };
  /** The token of a new session; undefined for a code that opens nothing, or nothing any more. */
  enter(code: string): string | undefined;
  recognise(token: string): boolean;
  leave(token: string): void;
}

export type Identity =
  | { readonly kind: "person" }
  /** Everything such a token can reach is in its credential: another project cannot be named with it. */
  | { readonly kind: "run"; readonly credential: RunCredential };

/** What the token of a run opens: the agent it speaks for, where, and with which tools. */
export interface RunCredential {
  readonly project: RunningProject;
  readonly caller: Extract<Caller, { kind: "agent" }>;
  readonly tools: ToolHost;
}

/** The tokens of runs. A credential is open as long as the run that asked for it is at work, and never longer. */
export interface RunCredentials {
  open(credential: RunCredential): ToolEndpoint & Disposable;
  find(token: string): RunCredential | undefined;
  readonly size: number;
}
