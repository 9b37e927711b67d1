import { operationRequest } from "../../../src/contract/operation-request.ts";
import type { OperationInput, OperationName, OperationOutput } from "../../../src/contract/operations.ts";
import { CODE_HEADER, PROJECT_HEADER } from "../../../src/contract/service/headers.ts";
import type { HealthView } from "../../../src/contract/service/health.ts";
import type { PageSessionView } from "../../../src/contract/service/page.ts";

/** A refusal of the daemon, or the reason why it could not be reached. */
export interface DaemonError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export type DaemonResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: DaemonError };

/**
 * The client of the daemon that served this page, for one project. The token is sent as a header, and only to paths of
 * the page's own origin. No other module makes requests with it.
 */
export interface Daemon {
  call<Name extends OperationName>(
    operation: Name,
    input: OperationInput<Name>,
  ): Promise<DaemonResult<OperationOutput<Name>>>;
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
}

export interface DaemonParts {
  readonly token: string;
  readonly project: string | undefined;
  /** Called when the token is no longer valid. */
  readonly onRefusedToken: () => void;
}

export function openDaemon({ token, project, onRefusedToken }: DaemonParts): Daemon {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(project === undefined ? {} : { [PROJECT_HEADER]: encodeURIComponent(project) }),
  };
  const request = async (path: string, init: RequestInit, more: Record<string, string> = {}): Promise<Response> => {
    const response = await fetch(path, { ...init, ...FETCH, headers: { ...headers, ...more } });
    if (response.status === 401) onRefusedToken();
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
    health: () => send("GET", "/health"),
    stopAgent: (name) => send("POST", `/agents/${encodeURIComponent(name)}/stop`, "{}"),
    start: ({ workflow, params, ...rest }) =>
      send("POST", "/serve", JSON.stringify({ workflow, until: "started", ...filled(rest), params: filled(params) })),
    events: (lastEventId, signal) =>
      request("/events?live=1", { signal }, lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    async signOut() {
      await send("DELETE", "/ui/sessions");
    },
  };
}

function filled(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}

/** No cookies, no referrer, no cache, no redirects. */
const FETCH = { credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "error" } as const;

/** Exchanges the code of a sign-in link for a token. */
export function signIn(code: string): Promise<DaemonResult<PageSessionView>> {
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
