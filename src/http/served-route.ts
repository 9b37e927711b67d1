import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import type { Access } from "../kernel/proposal.ts";
import type { Refusal, RefusalCode } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { DaemonContext } from "../runtime/daemon-context.ts";
import type { Credentials } from "../runtime/request-context.ts";
import type { InputFields } from "./input-fields.ts";
import type { HttpRequestContext } from "./request-context.ts";

/** A row of the server's table: its path, who may use it, what it takes, and its handler. */
export type ServedRoute = ProjectRoute | ServiceRoute | McpRoute;

/** About one project. */
export interface ProjectRoute extends Located {
  readonly kind: "project";
  /** Checked before the body is read. */
  readonly access: Access;
  readonly bodyLimit: number;
  /** Absent: the handler checks its input itself. */
  readonly fields?: () => InputFields;
  readonly handle: RouteHandler;
  /** Responds with a stream of events that stays open. */
  readonly stream?: true;
}

/**
 * Handles a request that passed every check: host, origin, content type, token, phase, size, role. A result is sent as
 * JSON with the status of its code; undefined means that the handler wrote to `response` itself. An error that it
 * throws is sent as a fault or a bug; after the response has begun, it closes the connection.
 */
export type RouteHandler = (context: HttpRequestContext) => Promise<Result<unknown, Refusal> | undefined>;

/** About the daemon itself: it opens no project, takes no input, and works in every phase. */
export interface ServiceRoute extends Located {
  readonly kind: "service";
  readonly access: "anyone" | "person";
  readonly handle: (request: ServiceRequest) => Promise<Result<unknown, Refusal> | undefined>;
}

export interface ServiceRequest {
  readonly daemon: DaemonContext;
  /** Undefined for a client without a token. */
  readonly credentials: Credentials | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Readonly<Record<string, string>>;
}

/** All methods of one path, for runs and persons alike. */
export interface McpRoute extends Located {
  readonly kind: "mcp";
  readonly bodyLimit: number;
}

interface Located {
  readonly method: string;
  readonly path: string;
  /** For the description of the routes. */
  readonly about: RouteDescription;
}

export interface RouteDescription {
  readonly id: string;
  readonly summary: string;
  readonly input?: z.ZodType;
  readonly output?: z.ZodType;
  /** The codes with which its operation may refuse. */
  readonly refusals?: readonly RefusalCode[];
  /** Of the response; JSON by default. */
  readonly mediaType?: "application/json" | "text/event-stream" | "text/html" | "*/*";
}
