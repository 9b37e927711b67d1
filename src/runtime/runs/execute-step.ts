import { SILENCE_TOOL } from "../../operations/runs/tools.ts";
import type { EngineSession, StepEnd, StepEvent } from "../../ports/engine.ts";
import type { ToolCallRecord } from "../../ports/store/run-history.ts";
import { collectCalls } from "./collect-calls.ts";

export interface FinishedStep {
  readonly number: number;
  readonly end: StepEnd;
  /** The agent chose to say nothing. */
  readonly silent: boolean;
  /** What its tools were asked and answered. */
  readonly calls: readonly ToolCallRecord[];
}

/** Executes one step to its end and passes on what happens meanwhile. */
export async function executeStep(
  session: EngineSession,
  input: { readonly number: number; readonly prompt: string | null },
  signal: AbortSignal,
  watch: (event: Exclude<StepEvent, StepEnd>) => void,
): Promise<FinishedStep> {
  let end: StepEnd | undefined;
  let silent = false;
  const calls = collectCalls();
  for await (const event of session.step(input, signal)) {
    if (event.type === "end") {
      end = event;
      continue;
    }
    if (event.type === "tool-call" && event.tool === SILENCE_TOOL) silent = true;
    calls.see(event);
    watch(event);
  }
  if (end === undefined) throw new Error("The engine ended a step without saying how.");
  return { number: input.number, end, silent, calls: calls.made() };
}
