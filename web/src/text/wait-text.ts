import type { WaitingRun } from "../../../src/contract/runs.ts";
import { clockTime, dayOf } from "./time.ts";

const AWAITED = {
  quota: "quota",
  provider: "the time that its provider named",
  approval: "your approval",
  retry: "the next attempt",
  message: "something new",
};

/** Says for what a run waits, since when and until when. */
export function waitText({ waitsFor, since, until }: WaitingRun): string {
  return `waits for ${AWAITED[waitsFor]} since ${timeText(since)}${until === null ? "" : ` until ${timeText(until)}`}`;
}

function timeText(at: string): string {
  const day = dayOf(at);
  return day === dayOf(new Date().toISOString()) ? clockTime(at) : `${day} ${clockTime(at)}`;
}
