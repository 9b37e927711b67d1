import type { Caller } from "../kernel/caller.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { ToolEndpoint, ToolHost } from "../ports/tools.ts";
import type { RunningProject } from "./running-project.ts";

/** The daemon as the HTTP and MCP adapters see it: its projects, who sends a request, and its health. */
export interface DaemonContext {
  readonly version: string;
  /** Id of this daemon process. */
  readonly instance: string;
  phase(): "starting" | "ready" | "draining";
  /** Why the daemon is degraded, as sentences for people; empty when it is not. */
  problems(): readonly string[];
  /** Opens a project on first use, by its real path. Without a path: the daemon's first project. */
  project(path: string | undefined): Promise<Result<RunningProject, Refusal>>;
  openProjects(): readonly RunningProject[];
  /** Decides by the token alone, compared in constant time. Returns undefined for an unknown token. */
  identify(token: string): Identity | undefined;
  /** Proves to a caller that this daemon knows the person's token, before the caller sends that token. */
  prove(nonce: string): string;
  readonly runCredentials: Pick<RunCredentials, "size">;
  readonly page: PageSessions;
  /** Begins to drain. Running runs yield and go on with the next daemon. */
  shutdown(): void;
}

/** The sessions of browsers, which act in the name of the person. */
export interface PageSessions {
  /** Returns a code that opens one session and is valid for a short time. */
  createCode(): { readonly code: string; readonly lastsMs: number };
  /** Returns the token of a new session; undefined for a code that is unknown, used or too old. */
  openSession(code: string): string | undefined;
  isValid(token: string): boolean;
  endSession(token: string): void;
}

export type Identity =
  | { readonly kind: "person" }
  /** The token gives access to its credential only: a request with it cannot name another project. */
  | { readonly kind: "run"; readonly credential: RunCredential };

/** What the token of a run gives access to: as which agent, in which project, and with which tools. */
export interface RunCredential {
  readonly project: RunningProject;
  readonly caller: Extract<Caller, { kind: "agent" }>;
  readonly tools: ToolHost;
}

/** The tokens of running runs. A token is valid until the returned object is disposed. */
export interface RunCredentials {
  issue(credential: RunCredential): ToolEndpoint & Disposable;
  find(token: string): RunCredential | undefined;
  readonly size: number;
}
