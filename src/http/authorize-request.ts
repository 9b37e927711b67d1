import type { IncomingMessage } from "node:http";
import type { Refusal } from "../kernel/refusal.ts";
import { err, ok, type Result } from "../kernel/result.ts";
import type { DaemonContext, Identity } from "../runtime/daemon-context.ts";
import { bearerToken } from "./bearer-token.ts";
import { callerOf } from "./operation-routes.ts";
import { NO_PARAMS, type PathMatcher } from "./path-matcher.ts";
import { hasBody } from "./request-body.ts";
import { refusalAnswer, type ErrorAnswer } from "./respond.ts";
import type { McpRoute, ProjectRoute, ServedRoute, ServiceRoute } from "./served-route.ts";
import type { AddressCheck } from "./trusted-address.ts";

/**
 * Whether a request is let in, decided from its head alone, in an order that matters: where it was sent and by what
 * kind of page, what it carries, who sends it, whether the daemon takes requests, whether there is such a route, and
 * whether this caller may use it. What is refused here has cost nothing and learned nothing.
 */
export interface AuthorizationParts {
  readonly hosting: DaemonContext;
  readonly routes: PathMatcher<ServedRoute>;
  readonly checkAddress: AddressCheck;
}

export type AuthorizedRequest =
  | { readonly kind: "service"; readonly row: ServiceRoute; readonly identity: Identity | undefined }
  | { readonly kind: "mcp"; readonly row: McpRoute; readonly identity: Identity }
  | {
      readonly kind: "project";
      readonly row: ProjectRoute;
      readonly identity: Identity;
      readonly params: Readonly<Record<string, string>>;
      readonly query: string;
    };

export function authorizeRequest(
  { hosting, routes, checkAddress }: AuthorizationParts,
  request: IncomingMessage,
): Result<AuthorizedRequest, ErrorAnswer> {
  const foreign = checkAddress(request);
  if (foreign !== undefined) return err(refusalAnswer(foreign));
  const content = checkContent(request);
  if (content !== undefined) return err(content);

  const { url = "" } = request;
  const { authorization } = request.headers;
  const mark = url.indexOf("?");
  const path = mark === -1 ? url : url.slice(0, mark);
  const found = findRoute(routes, request.method ?? "", path);
  const row = found?.row;
  if (row?.kind === "service" && row.access === "anyone" && authorization === undefined) {
    return ok({ kind: "service", row, identity: undefined });
  }
  const identity = authorization === undefined ? undefined : identify(hosting, authorization);
  if (identity === undefined) return err(unauthenticated(authorization));
  if (found === undefined || row === undefined) return err(noRoute(routes, request.method ?? "", path));

  if (row.kind === "service") {
    if (row.access === "person" && identity.kind !== "person") return err(refusalAnswer(PERSONS_ONLY));
    return ok({ kind: "service", row, identity });
  }
  if (hosting.phase() !== "ready") return err(refusalAnswer(notNow(hosting)));
  if (row.kind === "mcp") return ok({ kind: "mcp", row, identity });
  const forbidden = row.access(callerOf(identity));
  if (forbidden !== undefined) return err(refusalAnswer(forbidden));
  const params = decodeParams(found.params);
  if (params === undefined) return err(refusalAnswer(BAD_PATH));
  return ok({ kind: "project", row, identity, params, query: mark === -1 ? "" : url.slice(mark + 1) });
}

const JSON_TYPE = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;

/** Only JSON can ask for something: what a form of a web page can send is nothing we understand. */
function checkContent(request: IncomingMessage): ErrorAnswer | undefined {
  const { "content-type": type, "content-encoding": encoding } = request.headers;
  const carries = hasBody(request);
  if (carries && request.method !== "POST" && request.method !== "PUT") {
    return refusalAnswer({ code: "invalid", message: `A ${request.method} takes no body.`, hint: "Use the query." });
  }
  const understood = type === undefined ? !carries : type === "application/json" || JSON_TYPE.test(type);
  if (understood && encoding === undefined) return undefined;
  const message = "Only JSON in UTF-8 is understood, and not compressed.";
  return { status: 415, error: { code: "invalid", message, hint: "Send content-type: application/json." } };
}

function findRoute(routes: PathMatcher<ServedRoute>, method: string, path: string) {
  if (method !== "HEAD") return routes.find(method, path);
  const found = routes.find("GET", path);
  return found === undefined || isStream(found.row) ? undefined : found;
}

/** Has no head that could be told without the rest. */
function isStream(row: ServedRoute): boolean {
  return row.kind === "mcp" || (row.kind === "project" && row.stream === true);
}

function identify(hosting: DaemonContext, authorization: string): Identity | undefined {
  const token = bearerToken(authorization);
  return token === undefined ? undefined : hosting.identify(token);
}

function unauthenticated(authorization: string | undefined): ErrorAnswer {
  const missing = authorization === undefined;
  const refusal: Refusal = {
    code: "unauthenticated",
    message: missing ? "The request has no token." : "The token is not valid, or not any more.",
    hint: "Send it as Authorization: Bearer TOKEN. A person's is in daemon.json, in the home of the daemon.",
  };
  const scheme = `Bearer realm="agent-worker"`;
  return refusalAnswer(refusal, { "www-authenticate": missing ? scheme : `${scheme}, error="invalid_token"` });
}

function noRoute(routes: PathMatcher<ServedRoute>, method: string, path: string): ErrorAnswer {
  const methods = ["HEAD", ...routes.methods(path)].filter((each) => findRoute(routes, each, path) !== undefined);
  if (methods.length === 0) {
    const hint = "See GET /openapi.json for what there is.";
    return refusalAnswer({ code: "not_found", message: `There is no route ${method} ${path}.`, hint });
  }
  const allow = methods.join(", ");
  const error = { code: "invalid", message: `${path} does not take ${method}.`, hint: `It takes ${allow}.` };
  return { status: 405, error, headers: { allow } };
}

function notNow(hosting: DaemonContext): Refusal {
  const starting = hosting.phase() === "starting";
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
