import type { WaitingRun } from "../../contract/service/work-request.ts";
import { formatSpace } from "./format-space.ts";
import { firstLine } from "./visible-text.ts";

/** Says what a run waits for and until when; for an approval also how to decide. */
export function waitingText({ agent, until, reason, approval }: WaitingRun, space: string): string {
  if (approval === null) {
    return `${agent} waits${until === null ? "" : ` until ${until}`}: ${firstLine(reason)}\n`;
  }
  const option = space.startsWith("@") ? ` --target ${formatSpace(space)}` : "";
  return [
    `${agent} waits for you to decide: ${firstLine(reason)}\n`,
    `Approve with: agent-worker approve ${approval}${option}\n`,
    `Refuse with: agent-worker deny ${approval}${option}\n`,
  ].join("");
}
