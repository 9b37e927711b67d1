import type { StepProgress } from "../../ports/engine.ts";

/** What happens inside a step: text as it is generated, tools as they are called. For display only, and never stored. */
export type LiveEvent = {
  readonly run: string;
  readonly space: string;
  readonly agent: string;
} & (SeenStepEvent | { readonly type: "step"; readonly number: number });

/** What a step does, as people see it: `shown` is what they read in place of the arguments of a call. */
export type SeenStepEvent = StepProgress & { readonly shown?: unknown };
