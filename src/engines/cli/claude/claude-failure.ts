import { classifyFailure } from "../../../domain/delivery/classify.ts";
import type { CliFailure } from "../cli-dialect.ts";
import { failureOfMessage } from "../cli-failure.ts";
import type { ClaudeResult } from "./claude-events.ts";

/** What the program reported before its error. */
export interface FailureSigns {
  /** The program's own name for the kind of failure. */
  readonly kind: string | null;
  /** When the allowance of the subscription is renewed, if it is used up. */
  readonly resetAtMs: number | null;
  /** The delay before its last retry, if the API asked for one. */
  readonly retryDelayMs: number | null;
}

const STATUS_OF_KIND: Readonly<Record<string, number>> = {
  authentication_failed: 401,
  oauth_org_not_allowed: 403,
  billing_error: 402,
  rate_limit: 429,
  invalid_request: 400,
  model_not_found: 404,
  server_error: 500,
  overloaded: 529,
};

export function claudeFailure(
  result: ClaudeResult,
  signs: FailureSigns,
  { login, nowMs }: { readonly login: string; readonly nowMs: number },
): CliFailure {
  const message = result.errors?.join(" ") || result.result || `It ended with ${result.subtype}`;
  const failure = (kind: CliFailure["class"], text = message) =>
    ({ kind: "failure", class: kind, message: text }) as const;

  if (/no conversation found/i.test(message)) return { ...failure("permanent"), sessionUnusable: true };
  if (result.terminal_reason === "prompt_too_long") return { ...failure("permanent"), sessionUnusable: true };
  if (result.subtype.startsWith("error_max_")) return failure("permanent");
  if (signs.resetAtMs !== null) return { ...failure("quota"), resetAtMs: signs.resetAtMs };

  // If both are known, the kind is more exact: an empty account is a 400.
  const byKind = STATUS_OF_KIND[signs.kind ?? ""];
  const status = byKind === undefined || byKind === 500 ? (result.api_error_status ?? byKind) : byKind;
  if (status === undefined) return failureOfMessage(message, { login, nowMs });
  const kind = classifyFailure({ status });
  if (status === 401 || status === 403) return failure(kind, `${message}. ${login}`);
  if (status === 400) return { ...failure(kind), sessionUnusable: true };
  if (status === 429 && signs.retryDelayMs !== null) return { ...failure(kind), retryAfterMs: signs.retryDelayMs };
  return failure(kind);
}
