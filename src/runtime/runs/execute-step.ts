import { SILENCE_TOOL } from "../../operations/runs/tools.ts";
import type { EngineSession, StepEnd, StepEvent } from "../../ports/engine.ts";
import type { ToolCallRecord } from "../../ports/store/run-history.ts";

export interface FinishedStep {
  readonly number: number;
  readonly end: StepEnd;
  /** The agent ended its turn without a message. */
  readonly silent: boolean;
  /** Its tool calls, in the order in which they were made. */
  readonly calls: readonly ToolCallRecord[];
}

/**
 * A step of a command-line engine may make hundreds of calls with results of any size, all in memory until the step is
 * stored. Both limits are far above those of the store.
 */
const MOST_CALLS = 200;
const LONGEST_TEXT = 16 * 1024;

/** Executes one step to its end and passes its events to `watch`. */
export async function executeStep(
  session: EngineSession,
  input: { readonly number: number; readonly prompt: string | null },
  signal: AbortSignal,
  watch: (event: Exclude<StepEvent, StepEnd>) => void,
  /** Returns the time that has passed since some moment, in milliseconds. */
  elapsed: () => number,
): Promise<FinishedStep> {
  let end: StepEnd | undefined;
  let silent = false;
  const calls = new Map<string, ToolCallRecord>();
  const calledAt = new Map<string, number>();
  for await (const event of session.step(input, signal)) {
    if (event.type === "end") {
      end = event;
      continue;
    }
    if (event.type === "tool-call" && event.tool === SILENCE_TOOL) silent = true;
    if (event.type === "tool-call") calledAt.set(event.id, elapsed());
    const began = event.type === "tool-result" ? calledAt.get(event.id) : undefined;
    collectCall(calls, event, began === undefined ? {} : { wallMs: Math.max(0, Math.round(elapsed() - began)) });
    watch(event);
  }
  if (end === undefined) throw new Error("The engine ended a step without saying how.");
  return { number: input.number, end, silent, calls: [...calls.values()] };
}

function collectCall(
  calls: Map<string, ToolCallRecord>,
  event: Exclude<StepEvent, StepEnd>,
  time: Pick<ToolCallRecord, "wallMs">,
): void {
  if (event.type === "text" || (calls.size >= MOST_CALLS && !calls.has(event.id))) return;
  if (event.type === "tool-call") {
    calls.set(event.id, { tool: event.tool, args: argsText(event.args), result: null, failed: false });
  } else {
    const { id, tool, content, isError } = event;
    // The call of an approved tool is in a step before; this step has only its result.
    const call = calls.get(id) ?? { tool, args: argsText(event.args) };
    calls.set(id, { ...call, result: content.slice(0, LONGEST_TEXT), failed: isError, ...time });
  }
}

function argsText(args: unknown): string {
  return (JSON.stringify(args) ?? "").slice(0, LONGEST_TEXT);
}
