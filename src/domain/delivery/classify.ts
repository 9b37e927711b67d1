import { SCARCITY_CODES } from "../../kernel/scarcity.ts";
import type { ErrorClass } from "./retry.ts";

/**
 * Signs of a failure that an engine can report. A doubtful failure is transient: a few retries are cheap, and giving up
 * on a message that would have succeeded is not.
 */
export interface FailureSigns {
  /** The engine's process ended unexpectedly, or was killed because it was silent. */
  readonly crashed?: boolean;
  /** The provider reported an exhausted quota, as opposed to a rate limit. */
  readonly quotaExhausted?: boolean;
  /** HTTP status of the provider. */
  readonly status?: number;
  /** Code of a system error, such as ENOENT when the engine's program does not exist. */
  readonly code?: string;
}

const PAYMENT_REQUIRED = 402;
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const PERMANENT_CODES: ReadonlySet<string> = new Set(["ENOENT", "EACCES", "EPERM", "ENOEXEC", "ENOTDIR", "E2BIG"]);

export function classifyFailure({ crashed, quotaExhausted, status, code }: FailureSigns): ErrorClass {
  if (crashed === true) return "crash";
  if (quotaExhausted === true || status === PAYMENT_REQUIRED) return "quota";
  if (status !== undefined && status >= 400 && status < 500 && !TRANSIENT_STATUSES.has(status)) return "permanent";
  if (code !== undefined && PERMANENT_CODES.has(code)) return "permanent";
  if (code !== undefined && SCARCITY_CODES.has(code)) return "scarcity";
  return "transient";
}
