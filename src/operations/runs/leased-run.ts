import { z } from "zod";
import { UNKNOWN_USAGE, type Usage } from "../../domain/budget/usage.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { ToolCallRecord } from "../../ports/store/run-history.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** What every operation on a running run says: which run, where, and in whose name. */
export const leasedRunInput = z.object({ run: z.string(), space: z.string(), leaseOwner: z.string() });
export type LeasedRun = z.output<typeof leasedRunInput>;

export const finishedStep = z.object({
  number: z.int().min(1),
  transcript: z.string(),
  /** How long it took. */
  wallMs: z.int().min(0).default(0),
  /** As the engine gave it. */
  usage: z.custom<Usage>().default(UNKNOWN_USAGE),
  /** With the first step: what the run was given, as JSON. */
  receipt: z.string().optional(),
  /** What its tools were asked and answered, secrets and all. */
  calls: z.custom<readonly ToolCallRecord[]>().default([]),
});
export type FinishedStep = z.output<typeof finishedStep>;

/**
 * The run, if the holder still has it. Whoever was taken for dead and comes back finds its run held by another, or
 * ended: it must stop, and nothing it did since counts.
 */
export async function leasedRun(
  store: StoreReads,
  id: string,
  leaseOwner: string,
): Promise<Result<RunRecord, Refusal>> {
  const run = await store.runs.byId(id);
  if (run === undefined) return refuse("not_found", `There is no run ${id}.`);
  if (run.state === "open" && run.leaseOwner === leaseOwner) return ok(run);
  return refuse("conflict", `Run ${id} is not held by ${leaseOwner} any more.`, {
    details: { state: run.state, holder: run.leaseOwner },
  });
}
