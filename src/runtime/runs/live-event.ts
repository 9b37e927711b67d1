import type { StepEnd, StepEvent } from "../../ports/engine.ts";

/** What happens inside a step: text as it is generated, tools as they are called. For display only, and never stored. */
export type LiveEvent = {
  readonly run: string;
  readonly space: string;
  readonly agent: string;
} & (Exclude<StepEvent, StepEnd> | { readonly type: "step"; readonly number: number });
