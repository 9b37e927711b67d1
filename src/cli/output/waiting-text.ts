import type { WaitingRun } from "../../contract/runs.ts";
import { AWAITED } from "../../domain/outcome.ts";
import { systemClock } from "../../kernel/clock.ts";
import { clockTime } from "./clock-time.ts";
import { formatSpace } from "./format-space.ts";
import { firstLine } from "./visible-text.ts";

/** Says what a run of the shown request waits for and until when, and what a person can do. */
export function waitingText({ agent, space, until, reason, approval, next }: WaitingRun): string {
  if (approval === null) {
    return `${agent} waits${until === null ? "" : ` until ${until}`}: ${firstLine(reason)}\n${next}\n`;
  }
  const option = space.startsWith("@") ? ` --target ${formatSpace(space)}` : "";
  return [
    `${agent} waits for you to decide: ${firstLine(reason)}\n`,
    `Approve with: agent-worker approve ${approval}${option}\n`,
    `Refuse with: agent-worker deny ${approval}${option}\n`,
  ].join("");
}

/** The same for a list of what waits anywhere: also where and since when. */
export function waitLines(wait: WaitingRun): string {
  return `${waitText(wait)}\n  ${wait.next}\n`;
}

function waitText({ agent, space, waitsFor, since, until, reason }: WaitingRun): string {
  const where = space.startsWith("@") ? ` in ${formatSpace(space)}` : "";
  // Its time has come: it goes on when its agent has done what comes before.
  if (waitsFor === "retry" && until !== null && Date.parse(until) <= systemClock.now()) {
    return `${agent} waits${where} for its turn, since ${clockTime(until)}: ${firstLine(reason)}`;
  }
  const times = `since ${clockTime(since)}${until === null ? "" : ` until ${clockTime(until)}`}`;
  return `${agent} waits${where} for ${AWAITED[waitsFor]}, ${times}: ${firstLine(reason)}`;
}
