import type { ErrorClass } from "./retry.ts";

/**
 * Which kind of failure this was, from whatever the engine could tell. The doubtful are transient: trying again a few
 * times is cheap, and giving up on a message that would have gone through is not.
 */
export interface FailureSigns {
  /** The engine's process died, or went silent until it was killed. */
  readonly crashed?: boolean;
  /** The provider said that an allowance is used up, as opposed to "slow down". */
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
  return "transient";
}
