import { z } from "zod";
import { usageView } from "./usage.ts";

/** A run, as every face shows it. */
export const runView = z.object({
  id: z.string(),
  agent: z.string(),
  space: z.string(),
  lane: z.enum(["immediate", "normal", "background"]),
  state: z.enum(["open", "parked", "waiting", "ended"]),
  outcome: z.string().nullable(),
  /** Id of the message it answers. */
  cause: z.string(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
});
export type RunView = z.output<typeof runView>;

const leftOutView = z.object({ reason: z.string(), count: z.int(), names: z.array(z.string()) });

/** What a run was given, part by part, and what was left out of each and why. */
export const runReceiptView = z.object({
  budget: z.int(),
  tokens: z.int(),
  overBudget: z.boolean(),
  parts: z.array(
    z.object({
      part: z.string(),
      place: z.enum(["system", "prompt"]),
      tokens: z.int(),
      items: z.int(),
      names: z.array(z.string()).default([]),
      leftOut: z.array(leftOutView),
    }),
  ),
  /** Who had spoken in it, and whether some of it was outside text; absent for agents without a memory. */
  heard: z.array(z.string()).optional(),
  outside: z.boolean().optional(),
});
export type RunReceiptView = z.output<typeof runReceiptView>;

export const runDetailView = runView.extend({
  /** What it said in the end, or why it failed. */
  detail: z.string().nullable(),
  usage: usageView,
  /** Null before its first step is finished. */
  receipt: runReceiptView.nullable(),
});
