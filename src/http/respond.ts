import type { IncomingMessage, ServerResponse } from "node:http";
import { FAULT_ANSWERS, REFUSAL_ANSWERS } from "../contract/service/errors.ts";
import { VERSION_HEADER } from "../contract/service/headers.ts";
import { Fault } from "../kernel/fault.ts";
import type { Log } from "../kernel/log.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/**
 * Writes responses. An error is `{error: {code, message, hint?, details?}}` with the status of its code. The headers of
 * every response forbid a browser to cache it, to guess its type and to share it with other origins.
 */
export interface Responder {
  readonly headers: Readonly<Record<string, string>>;
  result(response: ServerResponse, result: Result<unknown, Refusal>): void;
  error(response: ServerResponse, error: ErrorResponse): void;
}

export interface ErrorResponse {
  readonly status: number;
  readonly error: { readonly code: string } & Pick<Refusal, "message" | "hint" | "details">;
  readonly headers?: Readonly<Record<string, string>>;
}

const RETRY_AFTER_SECONDS = 1;

export function refusalResponse(error: Refusal, headers?: ErrorResponse["headers"]): ErrorResponse {
  const { status } = REFUSAL_ANSWERS[error.code];
  const seconds = error.code === "unavailable" ? RETRY_AFTER_SECONDS : error.details?.["retryAfterSeconds"];
  const retry = typeof seconds === "number" ? { "retry-after": String(seconds) } : {};
  return { status, error, headers: { ...retry, ...headers } };
}

/** For what a handler threw: a fault is sent as it is; the details of a bug are only in the log. */
export function errorResponse(thrown: unknown, request: IncomingMessage, log: Log): ErrorResponse {
  const { method, url = "" } = request;
  const [path] = url.split("?", 1);
  if (thrown instanceof Fault) {
    const { code, message, hint } = thrown;
    log.warn("a request failed", { method, path, code, error: thrown });
    return { status: FAULT_ANSWERS[code].status, error: { code, message, ...(hint === undefined ? {} : { hint }) } };
  }
  log.error("a request met a bug", { method, path, error: thrown });
  const message = "The daemon made a mistake while answering. It is in its log.";
  return { status: 500, error: { code: "internal", message, hint: "See: agent-worker daemon logs" } };
}

export function createResponder(version: string): Responder {
  const headers = {
    [VERSION_HEADER]: version,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
  };
  // A flat list, which Node writes as it is. The value of the last name is appended.
  const flat = [...Object.entries(headers).flat(), "content-type", "application/json; charset=utf-8", "content-length"];

  const write = (response: ServerResponse, status: number, value: unknown, more: readonly string[] = []): void => {
    // Too late for a response.
    if (response.headersSent || response.destroyed) return void response.destroy();
    const body = JSON.stringify(value ?? {});
    response.writeHead(status, [...flat, String(Buffer.byteLength(body)), ...more]);
    response.end(body);
  };
  const error = (response: ServerResponse, { status, error: body, headers: more = {} }: ErrorResponse): void =>
    write(response, status, { error: body }, Object.entries(more).flat());

  return {
    headers,
    error,
    result: (response, result) =>
      result.ok ? write(response, 200, result.value) : error(response, refusalResponse(result.error)),
  };
}
