import { operationRequest } from "../../../src/contract/operation-request.ts";
import type { OperationInput, OperationName, OperationOutput } from "../../../src/contract/operations.ts";
import { CHALLENGE_HEADER, CODE_HEADER, PROJECT_HEADER } from "../../../src/contract/service/headers.ts";
import { hmacSha256 } from "../../../src/contract/service/hmac-sha256.ts";
import type { HealthView } from "../../../src/contract/service/health.ts";
import { pageProofText, pageToken } from "../../../src/contract/service/page-token.ts";
import type { PageKeyView } from "../../../src/contract/service/page.ts";
import { storedSession, storeSession } from "./credential.ts";

/** A refusal of the daemon, or the reason why it could not be reached. */
export interface DaemonError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** Of a conflict: what it is already. */
  readonly details?: { readonly state?: string };
}

export type DaemonResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: DaemonError };

/**
 * The client of the daemon that served this page, for one project. The key of the session is never sent: every request
 * proves it, for the daemon process that responds. No other module makes requests.
 */
export interface Daemon {
  call<Name extends OperationName>(
    operation: Name,
    input: OperationInput<Name>,
  ): Promise<DaemonResult<OperationOutput<Name>>>;
  /** The client for another project. */
  in(project: string): Daemon;
  health(): Promise<DaemonResult<HealthView>>;
  stopAgent(name: string): Promise<DaemonResult<unknown>>;
  /** Resolves after setup and kickoff; the workflow keeps running. */
  start(workRequest: WorkflowStart): Promise<DaemonResult<unknown>>;
  events(lastEventId: string | undefined, signal: AbortSignal): Promise<Response>;
  signOut(): Promise<void>;
}

/** Empty fields get the defaults of the workflow. */
export interface WorkflowStart {
  readonly workflow: string;
  readonly tag: string;
  readonly message: string;
  readonly params: Readonly<Record<string, string>>;
  /** Go on in the last instance of the workspace. */
  readonly goOn: boolean;
}

export interface DaemonParts {
  /** In the address of the page, with the port. */
  readonly host: string;
  readonly project: string | undefined;
  /** Called when the session is no longer valid. */
  readonly onRefusedSession: () => void;
}

export function openDaemon({ host, project, onRefusedSession }: DaemonParts): Daemon {
  const headers = project === undefined ? {} : { [PROJECT_HEADER]: encodeURIComponent(project) };
  const request = async (path: string, init: RequestInit, more: Record<string, string> = {}): Promise<Response> => {
    const attempt = (token: string): Promise<Response> =>
      fetch(path, { ...init, ...FETCH, headers: { ...headers, ...more, authorization: `Bearer ${token}` } });
    const token = provedToken(host);
    let response = await attempt(token);
    if (response.status === 401) {
      adoptChallenge(response);
      // There is another daemon process, or another tab has signed in. What was refused has had no effect.
      if (provedToken(host) !== token) response = await attempt(provedToken(host));
    }
    if (response.status === 401) onRefusedSession();
    return response;
  };
  const send = <T>(method: string, path: string, body?: string): Promise<DaemonResult<T>> =>
    readResult<T>(() =>
      body === undefined
        ? request(path, { method })
        : request(path, { method, body }, { "content-type": "application/json" }),
    );

  return {
    async call(operation, input) {
      const built = operationRequest(operation, input);
      return built.ok ? send(built.value.method, built.value.path, built.value.body) : built;
    },
    in: (other) => openDaemon({ host, project: other, onRefusedSession }),
    health: () => send("GET", "/health"),
    stopAgent: (name) => send("POST", `/agents/${encodeURIComponent(name)}/stop`, "{}"),
    start: ({ workflow, params, goOn, ...rest }) => {
      const request = { workflow, until: "started", ...filled(rest), params: filled(params) };
      return send("POST", "/serve", JSON.stringify(goOn ? { ...request, continue: true } : request));
    },
    events: (lastEventId, signal) =>
      request("/events?live=1", { signal }, lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    async signOut() {
      await send("DELETE", "/ui/sessions");
    },
  };
}

function provedToken(host: string): string {
  const { session, key, challenge } = storedSession() ?? { session: "", key: "", challenge: "" };
  return pageToken(session, hmacSha256(key, pageProofText(challenge, host)));
}

function adoptChallenge({ headers }: Response): void {
  const [stored, challenge] = [storedSession(), headers.get(CHALLENGE_HEADER)];
  if (stored !== undefined && challenge !== null) storeSession({ ...stored, challenge });
}

function filled(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}

/** The cookie of the session; no referrer, no cache, no redirects. */
const FETCH = {
  credentials: "same-origin",
  referrerPolicy: "no-referrer",
  cache: "no-store",
  redirect: "error",
} as const;

/** Exchanges the code of a sign-in link for a session. */
export function signIn(code: string): Promise<DaemonResult<PageKeyView>> {
  return readResult(() => fetch("/ui/sessions", { method: "POST", headers: { [CODE_HEADER]: code }, ...FETCH }));
}

async function readResult<T>(send: () => Promise<Response>): Promise<DaemonResult<T>> {
  try {
    const response = await send();
    const body = (await response.json()) as T & { readonly error?: DaemonError };
    if (response.ok) return { ok: true, value: body };
    return { ok: false, error: body.error ?? { code: "internal", message: `The daemon answered ${response.status}.` } };
  } catch {
    return { ok: false, error: UNREACHABLE };
  }
}

const UNREACHABLE: DaemonError = {
  code: "unavailable",
  message: "The daemon does not answer.",
  hint: "Start it with: agent-worker daemon start",
};
