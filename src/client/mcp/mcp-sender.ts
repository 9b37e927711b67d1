import { PROJECT_HEADER } from "../../contract/service/headers.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import type { WireRequest, WireResponse } from "../transport/connection.ts";
import type { AuthenticatedConnection } from "../transport/handshake.ts";
import { mcpHeaders, type McpMessage } from "./mcp-message.ts";

/**
 * Sends MCP messages to the daemon over HTTP, each on a connection of its own. While the daemon is unreachable, starting
 * or draining, a message waits, because it was certainly not handled. A message that fails later may have been handled,
 * and is never sent again.
 */
export interface McpSender {
  /** The protocol version of a 2025 client, after its `initialize`. */
  negotiated: string | undefined;
  post(message: McpMessage, signal: AbortSignal): Promise<McpResponse>;
  /** Opens the stream of notifications of a 2025 client. Does not start a daemon or wait for one. */
  listen(signal: AbortSignal): Promise<McpResponse>;
}

export interface McpResponse extends Disposable {
  readonly response: WireResponse;
}

export interface SenderParts {
  /** Finds and authenticates the daemon; throws a Fault when it is unreachable. */
  open(options: { readonly autoStart: boolean }): Promise<AuthenticatedConnection>;
  readonly clock: Clock;
  readonly projectDir?: string;
  /** How long a message waits for a daemon. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const RETRY_MS = 250;

/** 503 without a time is no daemon that starts or stops: its project cannot be opened, and the answer says why. */
function mayRetry({ status, headers }: WireResponse): boolean {
  return status === 404 || (status === 503 && headers.has("retry-after"));
}

export function createMcpSender({ open, clock, projectDir, timeoutMs = TIMEOUT_MS }: SenderParts): McpSender {
  const project = projectDir === undefined ? {} : { [PROJECT_HEADER]: encodeURIComponent(projectDir) };

  const send = async (
    connection: AuthenticatedConnection,
    request: Omit<WireRequest, "path">,
  ): Promise<McpResponse> => {
    const response = await connection.request({
      ...request,
      path: "/mcp",
      headers: { ...project, ...request.headers },
    });
    return { response, [Symbol.dispose]: () => connection[Symbol.dispose]() };
  };

  const sender: McpSender = {
    negotiated: undefined,
    async post(message, signal) {
      const headers = { accept: "application/json, text/event-stream", ...mcpHeaders(message, sender.negotiated) };
      const request = { method: "POST", headers, body: JSON.stringify(message), signal };
      for (const deadline = clock.monotonic() + timeoutMs; ; await clock.sleep(RETRY_MS, signal)) {
        const mayWait = clock.monotonic() < deadline;
        const connection = await open({ autoStart: true }).catch((error: unknown) => {
          if (!mayWait || !(error instanceof Fault)) throw error;
          return undefined;
        });
        if (connection === undefined) continue;
        const sent = await send(connection, request);
        if (!mayWait || !mayRetry(sent.response)) return sent;
        sent[Symbol.dispose]();
      }
    },
    async listen(signal) {
      const { negotiated } = sender;
      const version = negotiated === undefined ? {} : { "mcp-protocol-version": negotiated };
      const headers = { accept: "text/event-stream", ...version };
      return send(await open({ autoStart: false }), { method: "GET", headers, signal });
    },
  };
  return sender;
}
