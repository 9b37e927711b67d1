import type { CliExit, CliFailure } from "../cli-dialect.ts";
import { failureOfMessage } from "../cli-failure.ts";

/** Why a turn of Cursor failed: what its result says, or the last line it wrote that is no event. */
const UNKNOWN_CHAT = /(?:chat|session|conversation).*not found/i;
const PLAN = /cannot use this model|free plans?|upgrade your plan|trust required/i;

/** Null when it did not say: then it fell over. */
export function cursorFailure(error: string, { code, stderr, nowMs }: CliExit, login: string): CliFailure | null {
  const message = error === "" ? lastPlainLine(stderr) : error;
  if (message === "" || code === null) return null;
  if (UNKNOWN_CHAT.test(message)) return { kind: "failure", class: "permanent", message, sessionUnusable: true };
  if (PLAN.test(message)) return { kind: "failure", class: "permanent", message };
  return failureOfMessage(message, { login, nowMs });
}

/** True for an event and for what is left of one that was cut: it may hold the prompt. */
export function isEventLike(line: string): boolean {
  return /^\s*\{|\}\s*$/.test(line);
}

/** Standard error repeats the events. */
function lastPlainLine(stderr: string): string {
  return stderr.split("\n").findLast((line) => line.trim() !== "" && !isEventLike(line)) ?? "";
}
