import { shortenedArgs } from "../../domain/text/shortened-args.ts";
import { SILENCE_TOOL } from "../../operations/runs/tools.ts";
import type { EngineSession, StepEnd, StepProgress } from "../../ports/engine.ts";
import type { ToolCallRecord } from "../../ports/store/run-history.ts";
import type { ToolHost } from "../../ports/tools.ts";
import type { SeenStepEvent } from "./live-event.ts";

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

/** Executes one step to its end and passes its events to `watch`, with its calls as people read them. */
export async function executeStep(
  session: EngineSession,
  tools: Pick<ToolHost, "shown">,
  input: { readonly number: number; readonly prompt: string | null },
  signal: AbortSignal,
  watch: (event: SeenStepEvent) => void,
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
    const shown = event.type === "text" ? undefined : await tools.shown?.({ args: undefined, ...event });
    const seen = shown === undefined ? event : { ...event, shown };
    collectCall(calls, seen, began === undefined ? {} : { wallMs: Math.max(0, Math.round(elapsed() - began)) });
    watch(seen);
  }
  if (end === undefined) throw new Error("The engine ended a step without saying how.");
  return { number: input.number, end, silent, calls: [...calls.values()] };
}

function collectCall(
  calls: Map<string, ToolCallRecord>,
  event: StepProgress & { readonly shown?: unknown },
  time: Pick<ToolCallRecord, "wallMs">,
): void {
  if (event.type === "text" || (calls.size >= MOST_CALLS && !calls.has(event.id))) return;
  const { id, tool, shown = event.args } = event;
  if (event.type === "tool-call") {
    calls.set(id, { tool, args: argsText(shown), result: null, failed: false });
  } else {
    // The call of an approved tool is in a step before; this step has only its result.
    const call = calls.get(id) ?? { tool, args: argsText(shown) };
    calls.set(id, { ...call, result: event.content.slice(0, LONGEST_TEXT), failed: event.isError, ...time });
  }
}

function argsText(args: unknown): string {
  return shortenedArgs(JSON.stringify(args) ?? "", LONGEST_TEXT);
}
