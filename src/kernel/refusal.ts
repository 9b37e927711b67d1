import { err } from "./result.ts";

/**
 * Why an operation was refused. The union is closed: `contract/service/errors.ts` maps every code to its HTTP status and exit
 * code, and the compiler finds the gap when one is added.
 */
export type RefusalCode =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "not_running"
  | "not_participant"
  | "untrusted"
  | "conflict"
  | "lease_lost"
  | "stale_revision"
  | "closed"
  | "too_large"
  | "budget_exhausted"
  | "limited"
  | "failed"
  | "unavailable";

/**
 * `message` says what is wrong; `hint` says what to do next. People and agents see both as they are: no stack, no
 * internal path, no secret.
 */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export function refuse(
  code: RefusalCode,
  message: string,
  more: { readonly hint?: string; readonly details?: Readonly<Record<string, unknown>> } = {},
): { readonly ok: false; readonly error: Refusal } {
  return err({ code, message, ...more });
}
