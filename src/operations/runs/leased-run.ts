import { z } from "zod";
import { UNKNOWN_USAGE, type Usage } from "../../domain/budget/usage.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { ToolCallRecord } from "../../ports/store/run-history.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** The input that every operation on a leased run has. */
export const leasedRunInput = z.object({ run: z.string(), space: z.string(), leaseOwner: z.string() });
export type LeasedRun = z.output<typeof leasedRunInput>;

/** The texts that the engine was given; the tools as a JSON list. */
export interface GivenInput {
  readonly system: string;
  readonly prompt: string;
  readonly tools: string;
}

export const finishedStep = z.object({
  number: z.int().min(1),
  transcript: z.string(),
  /** See `domain/agent/transcript.ts`. */
  continues: z.boolean().default(false),
  wallMs: z.int().min(0).default(0),
  /** `provider/model`, as the session says it. */
  model: z.string().optional(),
  /** As the engine reported it. */
  usage: z.custom<Usage>().default(UNKNOWN_USAGE),
  /** With the first step: the receipt of the prompt, as JSON. */
  receipt: z.string().optional(),
  /** With the first step: what it was given, not yet redacted. */
  given: z.custom<GivenInput>().optional(),
  /** Its tool calls with their results, not yet redacted. */
  calls: z.custom<readonly ToolCallRecord[]>().default([]),
});
export type FinishedStep = z.output<typeof finishedStep>;

/**
 * Returns the run if the lease owner still has it. Refused when another daemon instance took it over, or it ended: the
 * caller must stop, and nothing it did since counts.
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
    details: { state: run.state, leaseOwner: run.leaseOwner },
  });
}
