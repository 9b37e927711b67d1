import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import type { Access } from "../kernel/proposal.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { DaemonContext, Identity } from "../runtime/daemon-context.ts";
import type { InputFields } from "./input-fields.ts";
import type { RouteHandler } from "./route-handler.ts";

/** A row of the server's table: where it is, who may use it, what it takes, and what answers. */
export type ServedRoute = ProjectRoute | ServiceRoute | McpRoute;

/** About one project. */
export interface ProjectRoute extends Located {
  readonly kind: "project";
  /** Asked before the body is read. */
  readonly access: Access;
  readonly bodyLimit: number;
  /** Absent: the handler checks its input by itself. */
  readonly fields?: () => InputFields;
  readonly handle: RouteHandler;
  /** Answers with a stream of events that stays open. */
  readonly stream?: true;
}

/** About the daemon itself: no project is opened for it, no input is taken, and it answers in every phase. */
export interface ServiceRoute extends Located {
  readonly kind: "service";
  readonly access: "anyone" | "person";
  readonly answer: (visit: ServiceRequest) => Promise<Result<unknown, Refusal> | undefined>;
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
  /** Of the answer; JSON unless said otherwise. */
  readonly mediaType?: "application/json" | "text/event-stream" | "text/html" | "*/*";
}

export interface ServiceRequest {
  readonly hosting: DaemonContext;
  /** Undefined for somebody without a token. */
  readonly identity: Identity | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Readonly<Record<string, string>>;
}
