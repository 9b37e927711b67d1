import type { IncomingMessage } from "node:http";
import { CHALLENGE_HEADER } from "../contract/service/headers.ts";
import { PAGE_TOKEN_MARK } from "../contract/service/page-token.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { err, ok, type Result } from "../kernel/result.ts";
import type { DaemonContext, PageRequestOrigin } from "../runtime/daemon-context.ts";
import { readCredentials, type Credentials } from "../runtime/request-context.ts";
import { sessionSecrets } from "./page/session-cookie.ts";
import { NO_PARAMS, type PathMatcher } from "./path-matcher.ts";
import { hasBody } from "./request-body.ts";
import { givenTwice, repeatedHeader } from "./repeated-header.ts";
import { refusalResponse, type ErrorResponse } from "./respond.ts";
import type { McpRoute, ProjectRoute, ServedRoute, ServiceRoute } from "./served-route.ts";
import type { AddressCheck } from "./trusted-address.ts";

export interface AuthorizationParts {
  readonly daemon: DaemonContext;
  readonly routes: PathMatcher<ServedRoute>;
  readonly checkAddress: AddressCheck;
}

export type AuthorizedRequest =
  | { readonly kind: "service"; readonly row: ServiceRoute; readonly credentials: Credentials | undefined }
  | { readonly kind: "mcp"; readonly row: McpRoute; readonly credentials: Credentials }
  | {
      readonly kind: "project";
      readonly row: ProjectRoute;
      readonly credentials: Credentials;
      readonly params: Readonly<Record<string, string>>;
      readonly query: string;
    };

/**
 * Decides from the head of a request alone whether it is handled. The order of the checks matters, so that a refusal
 * reveals nothing: repeated headers, host and origin, content type, token, route, phase of the daemon, access.
 */
export function authorizeRequest(
  { daemon, routes, checkAddress }: AuthorizationParts,
  request: IncomingMessage,
): Result<AuthorizedRequest, ErrorResponse> {
  const repeated = repeatedHeader(request.rawHeaders);
  if (repeated !== undefined) return err(refusalResponse(givenTwice(repeated)));
  const foreign = checkAddress(request);
  if (foreign !== undefined) return err(refusalResponse(foreign));
  const content = checkContent(request);
  if (content !== undefined) return err(content);

  const { url = "" } = request;
  const { authorization } = request.headers;
  const queryMark = url.indexOf("?");
  const path = queryMark === -1 ? url : url.slice(0, queryMark);
  const match = findRoute(routes, request.method ?? "", path);
  const row = match?.row;
  if (row?.kind === "service" && row.access === "anyone" && authorization === undefined) {
    return ok({ kind: "service", row, credentials: undefined });
  }
  const token = bearerToken(authorization);
  const credentials = token === undefined ? undefined : readCredentials(daemon, token, pageOriginOf(token, request));
  if (credentials === undefined) return err(unauthenticated(authorization, daemon.page.challenge));
  if (match === undefined || row === undefined) return err(noRoute(routes, request.method ?? "", path));

  if (row.kind === "service") {
    if (row.access === "person" && credentials.identity.kind !== "person") return err(refusalResponse(PERSONS_ONLY));
    return ok({ kind: "service", row, credentials });
  }
  if (daemon.phase() !== "ready") return err(refusalResponse(notReady(daemon)));
  if (row.kind === "mcp") return ok({ kind: "mcp", row, credentials });
  const forbidden = row.access(credentials.caller);
  if (forbidden !== undefined) return err(refusalResponse(forbidden));
  const params = decodeParams(match.params);
  if (params === undefined) return err(refusalResponse(BAD_PATH));
  return ok({ kind: "project", row, credentials, params, query: queryMark === -1 ? "" : url.slice(queryMark + 1) });
}

const JSON_TYPE = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;

/** Only JSON is accepted: a form of a web page cannot send it. */
function checkContent(request: IncomingMessage): ErrorResponse | undefined {
  const { "content-type": type, "content-encoding": encoding } = request.headers;
  const bodySent = hasBody(request);
  if (bodySent && request.method !== "POST" && request.method !== "PUT") {
    return refusalResponse({ code: "invalid", message: `A ${request.method} takes no body.`, hint: "Use the query." });
  }
  const understood = type === undefined ? !bodySent : type === "application/json" || JSON_TYPE.test(type);
  if (understood && encoding === undefined) return undefined;
  const message = "Only JSON in UTF-8 is understood, and not compressed.";
  return { status: 415, error: { code: "invalid", message, hint: "Send content-type: application/json." } };
}

function findRoute(routes: PathMatcher<ServedRoute>, method: string, path: string) {
  if (method !== "HEAD") return routes.find(method, path);
  const match = routes.find("GET", path);
  return match === undefined || isStream(match.row) ? undefined : match;
}

/** A stream has no response to HEAD. */
function isStream(row: ServedRoute): boolean {
  return row.kind === "mcp" || (row.kind === "project" && row.stream === true);
}

const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/** Undefined for a token that is not a page's. */
function pageOriginOf(token: string, request: IncomingMessage): PageRequestOrigin | undefined {
  if (!token.startsWith(PAGE_TOKEN_MARK)) return undefined;
  return { host: request.headers.host?.toLowerCase() ?? "", secrets: sessionSecrets(request) };
}

function unauthenticated(authorization: string | undefined, challenge: string): ErrorResponse {
  const missing = authorization === undefined;
  const refusal: Refusal = {
    code: "unauthenticated",
    message: missing ? "The request has no token." : "The token is not valid, or not any more.",
    hint: "Send it as Authorization: Bearer TOKEN. A person's is in daemon.json, in the home of the daemon.",
  };
  const scheme = `Bearer realm="agent-worker"`;
  return refusalResponse(refusal, {
    "www-authenticate": missing ? scheme : `${scheme}, error="invalid_token"`,
    [CHALLENGE_HEADER]: challenge,
  });
}

function noRoute(routes: PathMatcher<ServedRoute>, method: string, path: string): ErrorResponse {
  const methods = ["HEAD", ...routes.methods(path)].filter((each) => findRoute(routes, each, path) !== undefined);
  if (methods.length === 0) {
    const hint = "See GET /openapi.json for what there is.";
    return refusalResponse({ code: "not_found", message: `There is no route ${method} ${path}.`, hint });
  }
  const allow = methods.join(", ");
  const error = { code: "invalid", message: `${path} does not take ${method}.`, hint: `It takes ${allow}.` };
  return { status: 405, error, headers: { allow } };
}

function notReady(daemon: DaemonContext): Refusal {
  const starting = daemon.phase() === "starting";
  return {
    code: "unavailable",
    message: starting ? "The daemon is starting." : "The daemon is stopping.",
    hint: starting ? "Try again in a moment." : "Start it again with: agent-worker daemon start",
  };
}

const PERSONS_ONLY: Refusal = { code: "forbidden", message: "Only a person may do this." };
const BAD_PATH: Refusal = { code: "invalid", message: "The path is not percent-encoded UTF-8." };

function decodeParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  if (params === NO_PARAMS) return params;
  try {
    return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return undefined;
  }
}
