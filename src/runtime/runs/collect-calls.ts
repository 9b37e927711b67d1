import type { StepEnd, StepEvent } from "../../ports/engine.ts";
import type { ToolCallRecord } from "../../ports/store/run-history.ts";

/**
 * Notes what the tools of one step are asked and answer. A turn of a command line may make hundreds of calls with
 * answers of any size, and all of this is held until the step is kept: both are bounded, far above what is kept.
 */
const MOST_CALLS = 200;
const LONGEST = 16 * 1024;

export interface CallCollector {
  see(event: Exclude<StepEvent, StepEnd>): void;
  /** In the order in which they were made. */
  made(): readonly ToolCallRecord[];
}

export function collectCalls(): CallCollector {
  const calls = new Map<string, ToolCallRecord>();
  const note = (id: string, call: ToolCallRecord): void => {
    if (calls.size < MOST_CALLS || calls.has(id)) calls.set(id, call);
  };
  return {
    see(event) {
      if (event.type === "tool-call") {
        const args = (JSON.stringify(event.args) ?? "").slice(0, LONGEST);
        note(event.id, { tool: event.tool, args, result: null, failed: false });
      } else if (event.type === "tool-result") {
        const { id, tool, content, isError } = event;
        // Of a call that waited for a person, the step before has the question and this one the answer.
        const asked = calls.get(id) ?? { tool, args: "" };
        note(id, { ...asked, result: content.slice(0, LONGEST), failed: isError });
      }
    },
    made: () => [...calls.values()],
  };
}
