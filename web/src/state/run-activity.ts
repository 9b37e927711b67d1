import type { RunView } from "../../../src/contract/runs.ts";

/** What a run that has not ended does, in words. A run that waits for a person does nothing, whatever its state. */
export type RunActivity = "at work" | "waiting for you" | "parked";

export function activityOf({ id, state }: Pick<RunView, "id" | "state">, blocked: ReadonlySet<string>): RunActivity {
  if (state === "waiting" || blocked.has(id)) return "waiting for you";
  return state === "open" ? "at work" : "parked";
}

/** Counts the runs that have begun and are not at work. Every view shows this number. */
export function countWaiting(runs: readonly Pick<RunView, "id" | "state">[], blocked: ReadonlySet<string>): number {
  return runs.filter((run) => activityOf(run, blocked) !== "at work").length;
}

/** The class of the coloured dot that shows it. */
export const ACTIVITY_CLASSES: Readonly<Record<RunActivity, string>> = {
  "at work": "working",
  "waiting for you": "waiting",
  parked: "parked",
};
