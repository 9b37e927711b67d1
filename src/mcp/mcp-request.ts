import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestContext } from "../runtime/request-context.ts";

/** One request at `/mcp`. The HTTP adapter has authorized it and read its body. */
export interface McpRequest extends RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Not parsed; empty when there was none. */
  readonly body: Buffer;
}

export type McpHandler = (context: McpRequest) => Promise<void>;

/** True as soon as the token of the request is not valid any more: its run has ended. */
export function hasExpired({ daemon, token }: McpRequest): boolean {
  return daemon.identify(token) === undefined;
}
