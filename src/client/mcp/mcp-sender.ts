import { PROJECT_HEADER } from "../../contract/service/headers.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import type { WireAnswer, WireRequest } from "../transport/connection.ts";
import { mcpHeaders, type McpMessage } from "./mcp-message.ts";
import type { AuthenticatedConnection } from "../transport/connection-pool.ts";

/**
 * Sends messages of MCP to the daemon over HTTP, each on a connection of its own, so that one that breaks is known to
 * belong to it. While the daemon is away, or on its way in or out, a message waits: it certainly did not arrive. What is
 * thrown after it was taken may or may not have been done, and is never sent again.
 */
export interface McpSender {
  /** What the handshake of a 2025 client ended with. */
  negotiated: string | undefined;
  post(message: McpMessage, signal: AbortSignal): Promise<McpExchange>;
  /** The stream on which a 2025 client is told things. Starts no daemon and does not wait for one. */
  listen(signal: AbortSignal): Promise<McpExchange>;
}

export interface McpExchange extends Disposable {
  readonly answer: WireAnswer;
}

export interface SenderParts {
  /** Finds the daemon and makes sure of it; throws a Fault when it is not there. */
  open(options: { readonly autoStart: boolean }): Promise<AuthenticatedConnection>;
  readonly clock: Clock;
  readonly projectDir?: string;
  /** How long a message waits for a daemon that is not there. */
  readonly timeoutMs?: number;
}

const PATIENCE_MS = 30_000;
const AGAIN_MS = 250;
const NOT_NOW: ReadonlySet<number> = new Set([404, 503]);

export function createMcpSender({ open, clock, projectDir, timeoutMs = PATIENCE_MS }: SenderParts): McpSender {
  const project = projectDir === undefined ? {} : { [PROJECT_HEADER]: encodeURIComponent(projectDir) };

  const exchange = async (
    { connection, token }: AuthenticatedConnection,
    request: WireRequest,
  ): Promise<McpExchange> => {
    const headers = { authorization: `Bearer ${token}`, ...project, ...request.headers };
    const answer = await connection.ask({ ...request, path: "/mcp", headers });
    return { answer, [Symbol.dispose]: () => connection[Symbol.dispose]() };
  };

  const sender: McpSender = {
    negotiated: undefined,
    async post(message, signal) {
      const headers = { accept: "application/json, text/event-stream", ...mcpHeaders(message, sender.negotiated) };
      const request = { method: "POST", path: "/mcp", headers, body: JSON.stringify(message), signal };
      for (const deadline = clock.monotonic() + timeoutMs; ; await clock.sleep(AGAIN_MS, signal)) {
        const mayWait = clock.monotonic() < deadline;
        const link = await open({ autoStart: true }).catch((error: unknown) => {
          if (!mayWait || !(error instanceof Fault)) throw error;
          return undefined;
        });
        if (link === undefined) continue;
        const sent = await exchange(link, request);
        if (!mayWait || !NOT_NOW.has(sent.answer.status)) return sent;
        sent[Symbol.dispose]();
      }
    },
    async listen(signal) {
      const { negotiated } = sender;
      const version = negotiated === undefined ? {} : { "mcp-protocol-version": negotiated };
      const headers = { accept: "text/event-stream", ...version };
      return exchange(await open({ autoStart: false }), { method: "GET", path: "/mcp", headers, signal });
    },
  };
  return sender;
}
