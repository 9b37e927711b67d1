import type { CliExit, CliFailure } from "../cli-dialect.ts";
import { failureOfMessage } from "../cli-failure.ts";

const UNKNOWN_CHAT = /(?:chat|session|conversation).*not found/i;
const PLAN = /cannot use this model|free plans?|upgrade your plan|trust required/i;

/** Returns why a turn failed, by its result or the last plain line it wrote; null for a crash without an error text. */
export function cursorFailure(error: string, { code, stderr, nowMs }: CliExit, login: string): CliFailure | null {
  const message = error === "" ? lastPlainLine(stderr) : error;
  if (message === "" || code === null) return null;
  if (UNKNOWN_CHAT.test(message)) return { kind: "failure", class: "permanent", message, sessionUnusable: true };
  if (PLAN.test(message)) return { kind: "failure", class: "permanent", message };
  return failureOfMessage(message, { login, nowMs });
}

/** True for an event and for the rest of one that was cut: it may hold the prompt. */
export function isEventLike(line: string): boolean {
  return /^\s*\{|\}\s*$/.test(line);
}

/** Skips the events, which standard error repeats. */
function lastPlainLine(stderr: string): string {
  return stderr.split("\n").findLast((line) => line.trim() !== "" && !isEventLike(line)) ?? "";
}
