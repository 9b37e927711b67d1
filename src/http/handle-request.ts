import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { CHALLENGE_HEADER, clientProofText, PROOF_HEADER } from "../contract/service/headers.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { err, ok, type Result } from "../kernel/result.ts";
import type { DaemonContext, Identity } from "../runtime/daemon-context.ts";
import { authorizeRequest, type AuthorizationParts, type AuthorizedRequest } from "./authorize-request.ts";
import {
  announcedLength,
  discardRest,
  EMPTY_BODY,
  hasBody,
  parseJsonBody,
  readBody,
  tooLarge,
} from "./request-body.ts";
import { HttpRequestContext, type ServerContext } from "./request-context.ts";
import { gatherInput } from "./request-input.ts";
import { projectOf } from "./request-project.ts";
import { errorResponse, type Responder } from "./respond.ts";

export interface RequestHandlerParts extends AuthorizationParts, ServerContext {
  readonly mcp: McpHandler;
  readonly responder: Responder;
  /** Called for a request with a valid token, or with a proof of it. */
  readonly onAuthenticated: (socket: Socket) => void;
  /** Called when a stream of events begins and when it ends. */
  readonly onStream: (change: 1 | -1) => void;
}

/**
 * Handles every method of `/mcp`, and always responds itself. The body is not parsed: JSON-RPC has its own response to
 * a body that is not JSON.
 */
export type McpHandler = (context: HttpRequestContext) => Promise<void>;

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The handler of all requests: authorizes, finds the project, reads the body, calls the route and responds. */
export function createRequestHandler(parts: RequestHandlerParts): RequestHandler {
  const { responder, log, closing } = parts;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const authorized = authorizeRequest(parts, request);
      if (!authorized.ok) {
        responder.error(response, authorized.error);
      } else {
        const result = await handleAuthorized(parts, authorized.value, request, response);
        if (result !== undefined) responder.result(response, result);
      }
    } catch (thrown) {
      responder.error(response, errorResponse(thrown, request, log));
    }
    if (!request.complete) discardRest(request);
  };

  return (request, response) => {
    if (closing.aborted) response.shouldKeepAlive = false;
    void handle(request, response);
  };
}

async function handleAuthorized(
  parts: RequestHandlerParts,
  authorized: AuthorizedRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Result<unknown, Refusal> | undefined> {
  const { daemon, headers } = parts;
  const { kind, credentials } = authorized;
  if (credentials !== undefined || provesToken(daemon, request)) parts.onAuthenticated(request.socket);
  if (kind === "service") return authorized.row.handle({ daemon, credentials, request, response, headers });
  endWithSession(daemon, credentials.identity, request, response);
  const project = await projectOf(daemon, credentials.identity, request);
  if (!project.ok) return project;
  const body = await readBodyWithin(authorized.row.bodyLimit, request, response);
  if (body === "disconnected") return undefined;
  if (!body.ok) return body;
  const received = { credentials, project: project.value, request, response, body: body.value };
  if (kind === "mcp") {
    await parts.mcp(new HttpRequestContext(parts, { ...received, input: {} }));
    return undefined;
  }
  const { row, params, query } = authorized;
  if (credentials.identity.kind === "person" && GOES_ON.has(row.about.id)) daemon.hold.goOn(project.value.dir);
  const json = parseJsonBody(body.value);
  if (!json.ok) return json;
  const input = gatherInput(row.fields?.(), { path: params, query, body: json.value });
  if (!input.ok) return input;
  if (row.stream === true) {
    parts.onStream(1);
    response.once("close", () => parts.onStream(-1));
  }
  return await row.handle(new HttpRequestContext(parts, { ...received, input: input.value }));
}

/** Requests by which a person goes on with a project after everything was stopped. Looking is not among them. */
const GOES_ON: ReadonlySet<string> = new Set(["run", "serve", "open-workspace", "send-message"]);

function provesToken(daemon: DaemonContext, { headers }: IncomingMessage): boolean {
  const { [CHALLENGE_HEADER]: nonce, [PROOF_HEADER]: proof } = headers;
  if (typeof nonce !== "string" || typeof proof !== "string") return false;
  return proof === daemon.prove(clientProofText(nonce));
}

/** A browser that is signed out gets nothing more of what it has asked for, streams included. */
function endWithSession(
  daemon: DaemonContext,
  identity: Identity,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (identity.kind !== "person" || identity.session === undefined) return;
  const registration = daemon.page.endWithSession(identity.session, () => request.socket.destroy());
  response.once("close", () => registration[Symbol.dispose]());
}

const NO_BODY = Promise.resolve(ok(EMPTY_BODY));

function readBodyWithin(
  limit: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Result<Buffer, Refusal> | "disconnected"> {
  if (!hasBody(request)) return NO_BODY;
  if (announcedLength(request) > limit) return Promise.resolve(err(tooLarge(limit)));
  // The client waits for permission to send its body.
  if (request.headers.expect !== undefined) response.writeContinue();
  return readBody(request, limit);
}
