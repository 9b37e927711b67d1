import type { DeliveryState } from "./delivery/state.ts";

/**
 * How a run or a whole request ended. Commands, HTTP, MCP, the page and the store use these words and no others. The
 * list goes from the best to the worst: a request is as bad as the worst part of it.
 *
 * - `silent`: the agent decided to say nothing.
 * - `answered`: it was answered.
 * - `parked`: it waits, for quota or for an approval, and goes on by itself.
 * - `incomplete`: a limit ended it: steps, hops, turns, tokens, a budget, or the length of a model's answer.
 * - `stopped`: a person stopped it.
 * - `nobody_woken`: it reached no agent.
 * - `failed`: it could not be answered.
 */
export const OUTCOMES = ["silent", "answered", "parked", "incomplete", "stopped", "nobody_woken", "failed"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** How a run ended. A run that waits has not ended, and a run exists only when somebody was woken. */
export const RUN_OUTCOMES = ["answered", "silent", "incomplete", "stopped", "failed"] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/**
 * What a run that has not ended waits for: its quota, the time that its provider named, the decision of a person, the
 * next attempt after an error, or something new, because a person stopped its agent.
 */
export const WAIT_KINDS = ["quota", "provider", "approval", "retry", "message"] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

/** What a run waits for, in words for people: "waits for ...". */
export const AWAITED: Readonly<Record<WaitKind, string>> = {
  quota: "quota",
  provider: "the time that its provider named",
  approval: "your approval",
  retry: "the next attempt",
  message: "something new",
};

/** Returns the outcome of a request from those of its parts. Without any part nobody was woken. */
export function requestOutcome(parts: Iterable<Outcome>): Outcome {
  const worst = Math.max(-1, ...[...parts].map((part) => OUTCOMES.indexOf(part)));
  return OUTCOMES[worst] ?? "nobody_woken";
}

/** Whether everything was answered or deliberately left unanswered. */
export function isSuccess(outcome: Outcome): boolean {
  return outcome === "answered" || outcome === "silent";
}

/** Returns what became of a delivery. One that is still open, and whose run does not wait, is not taken by any loop. */
export function deliveryOutcome(
  state: DeliveryState,
  run: { readonly outcome: RunOutcome | null; readonly waitsFor: WaitKind | null } | undefined,
): Outcome {
  switch (state.status) {
    case "dead":
      return state.outcome;
    case "acked":
      return state.by === "person" ? "stopped" : (run?.outcome ?? "silent");
    case "pending":
    case "leased":
      return (run?.waitsFor ?? null) === null ? "stopped" : "parked";
  }
}
