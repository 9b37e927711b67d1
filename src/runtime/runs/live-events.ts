import type { StepEnd, StepEvent } from "../../ports/engine.ts";

/**
 * What happens inside a step while it happens: words as they come, tools as they are called. For watching only; never
 * stored, and lost without harm. What counts is recorded by the operations.
 */
export type LiveEvent = {
  readonly run: string;
  readonly space: string;
  readonly agent: string;
} & (Exclude<StepEvent, StepEnd> | { readonly type: "step"; readonly number: number });
