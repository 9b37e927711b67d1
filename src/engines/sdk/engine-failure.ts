import { classifyFailure } from "../../domain/delivery/classify.ts";
import { EngineFailure } from "../../ports/engine.ts";
import { oneLine } from "../shared/failure-text.ts";
import { readRetryAfter } from "../shared/retry-after.ts";
import type { FailureReport, ModelTarget } from "./protocol.ts";
import type { Limit } from "./watchdog.ts";
import { findProvider } from "../../domain/agent/providers.ts";

/** The providers' names for an allowance that is used up, as opposed to a rate that is too high. */
const QUOTA_KINDS: ReadonlySet<string> = new Set([
  "insufficient_quota",
  "billing_error",
  "billing_hard_limit_reached",
  "billing_not_active",
  "insufficient_balance",
  "insufficient_credits",
  "credits_exhausted",
  "daily_quota",
  "spend_limit_reached",
]);
const QUOTA_WORDS =
  /credit balance is too low|reached your specified api usage limits|spend(?:ing)? (?:cap|limit)|insufficient (?:balance|credits?|funds|quota)|monthly (?:usage|spend)/i;
const REGAIN = /regain access on (\d{4}-\d{2}-\d{2})(?: at (\d{2}:\d{2}) UTC)?/i;

/** Status for errors that come inside a stream without one, by the provider's name for the error. */
const STATUS_OF_KIND: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  api_error: 500,
  server_error: 500,
  overloaded_error: 529,
};

export function failureOf(
  report: FailureReport,
  target: ModelTarget,
  { nowMs, redact }: { readonly nowMs: number; readonly redact: (text: string) => string },
): EngineFailure {
  const message = oneLine(redact(report.message));
  if (report.permanent === true) return new EngineFailure("permanent", message);

  const kinds = report.kinds ?? [];
  const status = report.status ?? kinds.map((kind) => STATUS_OF_KIND[kind]).find((each) => each !== undefined);
  const quotaExhausted = kinds.some((kind) => QUOTA_KINDS.has(kind)) || QUOTA_WORDS.test(report.message);
  // The system code is left out: a network error of the worker must not be classified as a missing program.
  const kind = classifyFailure({ quotaExhausted, ...(status === undefined ? {} : { status }) });
  const retryAfterMs = readRetryAfter(report, nowMs);
  const resetAtMs = kind === "quota" ? resetTime(report.message) : undefined;
  const text = status === undefined || message.includes(String(status)) ? message : `${status} ${message}`;
  return new EngineFailure(kind, `${nameOf(target)}: ${text}${adviceFor(status, kind, target)}`, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(resetAtMs === undefined ? {} : { resetAtMs }),
  });
}

/** The message names the setting, because a person may want to change it. `shared`: see `exitFailure`. */
export function lateFailure(limit: Limit, limitMs: number, target: ModelTarget, shared: boolean): EngineFailure {
  const within = `within ${Math.round(limitMs / 100) / 10} s`;
  const late = (what: string, setting: string): EngineFailure =>
    new EngineFailure("transient", `${nameOf(target)}: ${what} ${within} (timeouts.${setting}).`);
  switch (limit) {
    case "mcp":
      return new EngineFailure("transient", `The MCP servers of the agent did not start ${within}.`);
    case "connect":
      return late("no connection", "connect");
    case "headers":
      return late("no answer", "first_byte");
    case "body":
      return late("the answer stopped and did not go on", "between");
    case "step":
      return late("the answer was not complete", "step");
    default:
      return exitFailure(`did not react ${within}`, shared);
  }
}

/** `shared`: other runs were in the process, so that nobody knows yet which of them ended it. */
export function exitFailure(cause: string, shared: boolean): EngineFailure {
  return new EngineFailure(classifyFailure({ crashed: true }), `The process of the agent ${cause}.`, { shared });
}

function nameOf({ provider, model }: ModelTarget): string {
  return `${provider}/${model}`;
}

function adviceFor(status: number | undefined, kind: EngineFailure["class"], target: ModelTarget): string {
  if (kind !== "permanent") return "";
  if (status === 401 || status === 403) {
    const [variable] = findProvider(target.provider)?.keyVariables ?? [];
    return ` Check the key${variable === undefined ? "" : ` (${variable}, or what "api_key" names)`}.`;
  }
  return status === 404 ? " Check the name of the model and the address." : "";
}

function resetTime(message: string): number | undefined {
  const match = REGAIN.exec(message);
  if (match === null) return undefined;
  const time = Date.parse(`${match[1]}T${match[2] ?? "00:00"}:00Z`);
  return Number.isNaN(time) ? undefined : time;
}
