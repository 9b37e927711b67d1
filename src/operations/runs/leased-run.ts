import { z } from "zod";
import { UNKNOWN_USAGE, type Usage } from "../../domain/budget/usage.ts";
import type { FencedCaller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { ToolCallRecord } from "../../ports/store/run-history.ts";
import type { StoredPiece } from "../../ports/store/run-input.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** The input that every operation on a leased run has. */
export const leasedRunInput = z.object({
  run: z.string(),
  space: z.string(),
  leaseOwner: z.string(),
  /** The number of the claim: see `RunRecord`. */
  fence: z.int(),
});
export type LeasedRun = z.output<typeof leasedRunInput>;

/** The texts that the engine was given; the prompt in pieces, the tools as a JSON list. */
export interface GivenInput {
  readonly system: string;
  readonly prompt: readonly StoredPiece[];
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
 * Returns the run if it is still the same claim of the same lease owner. Refused when the run was taken over, or it ended:
 * the caller must stop, and nothing it did since counts.
 */
export async function leasedRun(
  store: StoreReads,
  { run: id, leaseOwner, fence }: Pick<LeasedRun, "run" | "leaseOwner" | "fence">,
): Promise<Result<RunRecord, Refusal>> {
  const run = await store.runs.byId(id);
  if (run === undefined) return refuse("not_found", `There is no run ${id}.`);
  if (run.state === "open" && run.leaseOwner === leaseOwner && run.fence === fence) return ok(run);
  return { ok: false, error: leaseLost(run, fence) };
}

/** Refuses what a run does that was taken over, put aside or ended since. */
export async function checkFence(store: StoreReads, { run: id, fence }: FencedCaller): Promise<Refusal | undefined> {
  const run = await store.runs.byId(id);
  if (run?.state === "open" && run.fence === fence) return undefined;
  return leaseLost(run ?? { id, state: "ended", fence }, fence);
}

function leaseLost({ id, state, fence: current }: Pick<RunRecord, "id" | "state" | "fence">, fence: number): Refusal {
  const why = current !== fence ? "it was taken over" : state === "ended" ? "it has ended" : "it was put aside";
  return {
    code: "lease_lost",
    message: `Run ${id} can change nothing any more: ${why}.`,
    hint: "Stop here. What was finished before is stored, and the run goes on from there.",
    details: { run: id, state, fence: current, used: fence },
  };
}
