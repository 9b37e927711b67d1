import type { IncomingMessage, ServerResponse } from "node:http";
import { FAULT_ANSWERS, REFUSAL_ANSWERS } from "../contract/service/errors.ts";
import { VERSION_HEADER } from "../contract/service/headers.ts";
import { Fault } from "../kernel/fault.ts";
import type { Log } from "../kernel/log.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/**
 * How answers are written. Every one of them carries the same few headers, none of which invites a browser: nothing is
 * kept, guessed or shared with other origins. An error is `{error: {code, message, hint?, details?}}` with the status
 * of its code.
 */
type CommonHeaders = Readonly<Record<string, string>>;

function commonHeaders(version: string): CommonHeaders {
  return {
    [VERSION_HEADER]: version,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
  };
}

export interface ErrorAnswer {
  readonly status: number;
  readonly error: { readonly code: string } & Pick<Refusal, "message" | "hint" | "details">;
  readonly headers?: Readonly<Record<string, string>>;
}

const RETRY_AFTER_SECONDS = "1";

export function refusalAnswer(error: Refusal, headers?: ErrorAnswer["headers"]): ErrorAnswer {
  const { status } = REFUSAL_ANSWERS[error.code];
  const later = error.code === "unavailable" ? { "retry-after": RETRY_AFTER_SECONDS } : {};
  return { status, error, headers: { ...later, ...headers } };
}

/** What was thrown: a failure of the world, told as it is, or a bug, of which only we hear more. */
export function thrownAnswer(thrown: unknown, request: IncomingMessage, log: Log): ErrorAnswer {
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

export interface Responder {
  readonly headers: CommonHeaders;
  result(response: ServerResponse, result: Result<unknown, Refusal>): void;
  error(response: ServerResponse, answer: ErrorAnswer): void;
}

export function createResponder(version: string): Responder {
  const headers = commonHeaders(version);
  // Flat, as Node takes it without looking at it twice; the length has its place at the end.
  const flat = [...Object.entries(headers).flat(), "content-type", "application/json; charset=utf-8", "content-length"];

  const write = (response: ServerResponse, status: number, value: unknown, more: readonly string[] = []): void => {
    // Nobody hears it any more.
    if (response.headersSent || response.destroyed) return void response.destroy();
    const body = JSON.stringify(value ?? {});
    response.writeHead(status, [...flat, String(Buffer.byteLength(body)), ...more]);
    response.end(body);
  };
  const error = (response: ServerResponse, answer: ErrorAnswer): void =>
    write(response, answer.status, { error: answer.error }, Object.entries(answer.headers ?? {}).flat());

  return {
    headers,
    error,
    result: (response, result) =>
      result.ok ? write(response, 200, result.value) : error(response, refusalAnswer(result.error)),
  };
}
