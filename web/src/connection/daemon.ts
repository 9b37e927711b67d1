import type { HealthView } from "../../../src/contract/service/health.ts";
import type { PageSessionView } from "../../../src/contract/service/page.ts";
import { CODE_HEADER, PROJECT_HEADER } from "../../../src/contract/service/headers.ts";
import { operationRequest } from "../../../src/contract/operation-request.ts";
import type { OperationInput, OperationName, OperationOutput } from "../../../src/contract/operations.ts";

/** What the daemon says when it does not do something, or what keeps it from answering. */
export interface Trouble {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Trouble };

/**
 * The daemon this page came from, for one project. The token is sent as a header, to paths of the page's own origin and
 * to nothing else: there is no other place in the page that knows it.
 */
export interface Daemon {
  ask<Name extends OperationName>(operation: Name, input: OperationInput<Name>): Promise<Answer<OperationOutput<Name>>>;
  health(): Promise<Answer<HealthView>>;
  stopAgent(name: string): Promise<Answer<unknown>>;
  /** Comes back after setup and kickoff; the workflow goes on. */
  start(workRequest: WorkflowStart): Promise<Answer<unknown>>;
  events(lastEventId: string | undefined, signal: AbortSignal): Promise<Response>;
  leave(): Promise<void>;
}

/** What is empty is left to the workflow. */
export interface WorkflowStart {
  readonly workflow: string;
  readonly tag: string;
  readonly message: string;
  readonly params: Readonly<Record<string, string>>;
}

export interface DaemonParts {
  readonly token: string;
  readonly project: string | undefined;
  /** The token is worth nothing any more. */
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
  const answer = <T>(method: string, path: string, body?: string): Promise<Answer<T>> =>
    readAnswer<T>(() =>
      body === undefined
        ? request(path, { method })
        : request(path, { method, body }, { "content-type": "application/json" }),
    );

  return {
    async ask(operation, input) {
      const called = operationRequest(operation, input);
      return called.ok ? answer(called.value.method, called.value.path, called.value.body) : called;
    },
    health: () => answer("GET", "/health"),
    stopAgent: (name) => answer("POST", `/agents/${encodeURIComponent(name)}/stop`, "{}"),
    start: ({ workflow, params, ...rest }) =>
      answer("POST", "/serve", JSON.stringify({ workflow, until: "started", ...given(rest), params: given(params) })),
    events: (lastEventId, signal) =>
      request("/events?live=1", { signal }, lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    async leave() {
      await answer("DELETE", "/ui/sessions");
    },
  };
}

function given(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}

/** No cookies, no addresses told, nothing kept by the browser, and no way to another place. */
const FETCH = { credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "error" } as const;

/** Exchanges the code of an address for a token. */
export function enterPage(code: string): Promise<Answer<PageSessionView>> {
  return readAnswer(() => fetch("/ui/sessions", { method: "POST", headers: { [CODE_HEADER]: code }, ...FETCH }));
}

async function readAnswer<T>(ask: () => Promise<Response>): Promise<Answer<T>> {
  try {
    const response = await ask();
    const body = (await response.json()) as T & { readonly error?: Trouble };
    if (response.ok) return { ok: true, value: body };
    return { ok: false, error: body.error ?? { code: "internal", message: `The daemon answered ${response.status}.` } };
  } catch {
    return { ok: false, error: UNREACHABLE };
  }
}

const UNREACHABLE: Trouble = {
  code: "unavailable",
  message: "The daemon does not answer.",
  hint: "Start it with: agent-worker daemon start",
};
