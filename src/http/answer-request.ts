import type { IncomingMessage, ServerResponse } from "node:http";
import type { Refusal } from "../kernel/refusal.ts";
import { err, ok, type Result } from "../kernel/result.ts";
import { authorizeRequest, type AuthorizationParts, type AuthorizedRequest } from "./authorize-request.ts";
import { HttpRequestContext, type ServerContext } from "./request-context.ts";
import type { McpFace } from "./mcp-adapter.ts";
import { projectOf } from "./project-name.ts";
import {
  announcedLength,
  discardRest,
  EMPTY_BODY,
  hasBody,
  parseJsonBody,
  readBody,
  tooLarge,
} from "./request-body.ts";
import { gatherInput } from "./request-input.ts";
import { thrownAnswer, type Responder } from "./respond.ts";
import type { RouteContext } from "./route-handler.ts";
import type { McpRoute, ProjectRoute } from "./served-route.ts";

/** From a request to its answer: admitted by its head alone, then read, understood and handled. */
export interface AnswerParts extends AuthorizationParts, ServerContext {
  readonly mcp: McpFace;
  readonly responder: Responder;
  /** Told of every stream of events that begins and ends. */
  readonly onStream: (change: 1 | -1) => void;
}

export type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => void;

export function createAnswerRequest(parts: AnswerParts): AnswerRequest {
  const { responder, log, closing } = parts;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const admitted = authorizeRequest(parts, request);
      if (!admitted.ok) {
        responder.error(response, admitted.error);
      } else {
        const outcome = await answerAdmitted(parts, admitted.value, request, response);
        if (outcome !== undefined) responder.result(response, outcome);
      }
    } catch (thrown) {
      responder.error(response, thrownAnswer(thrown, request, log));
    }
    if (!request.complete) discardRest(request);
  };

  return (request, response) => {
    if (closing.aborted) response.shouldKeepAlive = false;
    void answer(request, response);
  };
}

type Outcome = Result<unknown, Refusal> | undefined;

async function answerAdmitted(
  parts: AnswerParts,
  admitted: AuthorizedRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Outcome> {
  const { hosting, headers } = parts;
  if (admitted.kind === "service") {
    const { identity, row } = admitted;
    return row.answer({ hosting, identity, request, response, headers });
  }
  const project = await projectOf(hosting, admitted.identity, request);
  if (!project.ok) return project;
  const body = await bodyOf(admitted.row, request, response);
  if (body === "gone") return undefined;
  if (!body.ok) return body;
  const { identity } = admitted;
  const exchange = (input: RouteContext["input"]): HttpRequestContext =>
    new HttpRequestContext(parts, { identity, project: project.value, request, response, body: body.value, input });
  if (admitted.kind === "mcp") {
    await parts.mcp(exchange({}));
    return undefined;
  }
  const { row, params, query } = admitted;
  const json = parseJsonBody(body.value);
  if (!json.ok) return json;
  const input = gatherInput(row.fields?.(), { path: params, query, body: json.value });
  if (!input.ok) return input;
  if (row.stream === true) {
    parts.onStream(1);
    response.once("close", () => parts.onStream(-1));
  }
  return await row.handle(exchange(input.value));
}

const NO_BODY = Promise.resolve(ok(EMPTY_BODY));

function bodyOf(
  { bodyLimit }: ProjectRoute | McpRoute,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Result<Buffer, Refusal> | "gone"> {
  if (!hasBody(request)) return NO_BODY;
  if (announcedLength(request) > bodyLimit) return Promise.resolve(err(tooLarge(bodyLimit)));
  // The client asked whether it may send at all; only now it may.
  if (request.headers.expect !== undefined) response.writeContinue();
  return readBody(request, bodyLimit);
}
