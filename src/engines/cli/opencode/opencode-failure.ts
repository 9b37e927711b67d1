import { stripVTControlCharacters } from "node:util";
import { classifyFailure } from "../../../domain/delivery/classify.ts";
import { readRetryAfter } from "../../shared/retry-after.ts";
import type { CliExit, CliFailure } from "../cli-dialect.ts";
import { failureOfMessage } from "../cli-failure.ts";
import type { OpencodeProblem } from "./opencode-events.ts";

const CONTEXT_OVERFLOW = "ContextOverflowError";
const PERMANENT = new Set(["ProviderAuthError", "ProviderModelNotFoundError", "ProviderInitError"]);
/** Happens when several processes start for the first time and create the same database. */
const BUSY = /database is locked|Failed query/i;

export function isContextOverflow({ name }: OpencodeProblem): boolean {
  return name === CONTEXT_OVERFLOW;
}

export function failureOfProblem(problem: OpencodeProblem, login: string, nowMs: number): CliFailure {
  const { name, data } = problem;
  const status = data?.statusCode;
  const message = `${status === undefined ? "" : `${status} `}${data?.message ?? name}`;
  if (isContextOverflow(problem)) return { ...failure("permanent", message), sessionUnusable: true };
  if (PERMANENT.has(name)) return failure("permanent", message);
  // OpenCode writes the cause only to its log; most often the model is unknown.
  if (/Unexpected server error/.test(message)) {
    return failure("crash", `${message} "opencode models" lists the models it knows.`);
  }
  const byWords = failureOfMessage(message, { login, nowMs });
  if (status === undefined || byWords.class === "quota") return byWords;
  const retryAfterMs = readRetryAfter({ retryAfter: data?.responseHeaders?.["retry-after"] }, nowMs);
  return {
    ...byWords,
    class: classifyFailure({ status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Returns null when standard error does not explain the failure. */
export function failureOfStderr({ stderr }: CliExit): CliFailure | null {
  const plain = stripVTControlCharacters(stderr);
  if (/Session not found/i.test(plain)) return { ...failure("permanent", "Session not found."), sessionUnusable: true };
  return BUSY.test(plain) ? failure("transient", "Its database is busy.") : null;
}

function failure(kind: CliFailure["class"], message: string): CliFailure {
  return { kind: "failure", class: kind, message };
}
