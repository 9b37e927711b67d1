import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { person } from "../../../src/kernel/caller.ts";
import { setSchedule } from "../../../src/operations/schedules/set-schedule.ts";
import type { Script, ScriptedStep } from "../../../src/testing/scripted-engine.ts";
import type { ManualClock } from "../manual-clock.ts";
import { callOk } from "./project.ts";
import { eventually, type LiveTestProject } from "./running-project.ts";

export const LONG_STEPS = 10;
export const STEP_LOG = "steps.log";

/** Wakes alice for background work, as her schedule would. */
export async function giveBackgroundWork(project: LiveTestProject, clock: ManualClock): Promise<void> {
  await callOk(project, person, setSchedule, { target: "alice", wakeup: "*/5 * * * *", prompt: "Do the long work." });
  clock.advance(5 * 60_000);
}

export type Interference = (kind: "work" | "letter", step: ScriptedStep) => void | Promise<void>;

/**
 * Background work takes ten steps; anything else is a letter that takes one. Every step that begins is written to a file
 * first, so that no death can hide it. `interfere` runs inside the step.
 */
export function longWork(dir: () => string, interfere: Interference = () => {}): Script {
  return async (step) => {
    const kind = step.inbox.includes("Do the long work.") ? "work" : "letter";
    appendFileSync(join(dir(), STEP_LOG), `${kind} ${step.number}\n`);
    await interfere(kind, step);
    if (kind === "letter") return "the answer to the letter";
    return step.number < LONG_STEPS ? { more: true } : "the long work is done";
  };
}

/** Resolves when alice has said that it is done, and nothing is left. */
export async function workDone(project: LiveTestProject): Promise<void> {
  await eventually("the work is done", async () =>
    (await project.said("alice")).includes("alice: the long work is done"),
  );
  await project.quiet();
}

/** `work 4` to `work 10`. */
export function workSteps(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, n) => `work ${from + n}`);
}
