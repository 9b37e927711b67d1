import type { PageSessionView } from "../contract/service/page.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { ToolEndpoint, ToolHost } from "../ports/tools.ts";
import type { RunningProject } from "./running-project.ts";
import type { WorkHold } from "./work-hold.ts";

/** The daemon as the HTTP and MCP adapters see it: its projects, who sends a request, and its health. */
export interface DaemonContext {
  readonly version: string;
  /** The name of the node that it is. */
  readonly node: string;
  /** Id of this daemon process. */
  readonly instance: string;
  phase(): "starting" | "ready" | "draining";
  /** Why the daemon is degraded, as sentences for people; empty when it is not. */
  problems(): readonly string[];
  readonly hold: WorkHold;
  /** Names of the variables with keys of providers that the daemon has, in its environment or by `login`. */
  keys(): Promise<readonly string[]>;
  /** Opens a project on first use, by its real path. Without a path: the daemon's first project. */
  project(path: string | undefined): Promise<Result<RunningProject, Refusal>>;
  openProjects(): readonly RunningProject[];
  /**
   * Decides by the token alone, compared in constant time; a page's token also needs the page's cookie. Returns
   * undefined for an unknown token.
   */
  identify(token: string, from?: PageRequestOrigin): Identity | undefined;
  /** Proves to a caller that this daemon knows the person's token, before the caller sends that token. */
  prove(nonce: string): string;
  readonly runCredentials: Pick<RunCredentials, "size">;
  readonly page: PageSessions;
  /** Where it listens, as clients on this machine write it. */
  url(): string;
  /** The address under which other devices open the page; undefined while only this machine can. */
  readonly publicUrl?: () => string | undefined;
  /** Begins to drain. Running runs yield and go on with the next daemon. */
  shutdown(): void;
}

/** The sessions of browsers, which act in the name of the person: see `contract/service/page.ts`. */
export interface PageSessions {
  /** What pages prove their key for. Every daemon process has another one. */
  readonly challenge: string;
  /** Returns a code that opens one session and is valid for a short time. */
  createCode(): { readonly code: string; readonly lastsMs: number };
  /** Returns a code that is short enough to be typed. Ten wrong ones end all of them. */
  createPairingCode(): { readonly code: string; readonly lastsMs: number };
  /** Ends the session that this browser had. Returns undefined for a code that is unknown, used or too old. */
  openSession(code: string, browser: SigningBrowser): SignInResult | undefined;
  /** Returns the id of the session whose two halves these are, and counts as its use. */
  findSession(token: string, from: PageRequestOrigin): string | undefined;
  /** The most recently used one is first. */
  list(): readonly PageSessionView[];
  /** Calls `end` when the session ends before the returned object is disposed; at once when it has ended already. */
  endWithSession(id: string, end: () => void): Disposable;
  /** Throws a Fault when the session would be valid again after a restart. Returns false for an unknown one. */
  endSession(id: string): boolean;
  /** Returns the ids of the sessions that there were. */
  endAllSessions(): readonly string[];
}

export interface SigningBrowser {
  /** What it calls itself. */
  readonly name: string;
  /** What its cookies for this daemon say. */
  readonly secrets: readonly string[];
}

export interface SignInResult {
  readonly id: string;
  readonly key: string;
  readonly secret: string;
  /** How long it can last at most. */
  readonly lastsMs: number;
}

/** What a request of a page says besides its token. */
export interface PageRequestOrigin {
  /** As in the header `Host`. */
  readonly host: string;
  readonly secrets: readonly string[];
}

export type Identity =
  /** `session`: of the browser by which the person sends the request. */
  | { readonly kind: "person"; readonly session?: string }
  /** The token gives access to its credential only: a request with it cannot name another project. */
  | { readonly kind: "run"; readonly credential: RunCredential };

/** A token never gives more than the tools of its run: their operations must be named. */
export type RunCaller = AgentCaller & Required<Pick<AgentCaller, "operations">>;
type AgentCaller = Extract<Caller, { kind: "agent" }>;

/** What the token of a run gives access to: as which agent, in which project, and with which tools. */
export interface RunCredential {
  readonly project: RunningProject;
  readonly caller: RunCaller;
  readonly tools: ToolHost;
}

/** The tokens of running runs. A token is valid until the returned object is disposed. */
export interface RunCredentials {
  issue(credential: RunCredential): ToolEndpoint & Disposable;
  find(token: string): RunCredential | undefined;
  readonly size: number;
}
