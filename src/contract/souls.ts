import { z } from "zod";

/** Souls as every face shows them: the baseline a person wrote, what was learned on top, and what is put forward. */
export const soulChangeView = z.object({
  kind: z.enum(["add", "remove", "replace", "restore"]),
  trait: z.string(),
  /** The item or the text; null when a whole trait is restored. */
  value: z.string().nullable(),
});
export type SoulChangeView = z.output<typeof soulChangeView>;

const traits = z.record(z.string(), z.unknown());
const items = z.record(z.string(), z.array(z.string()));

export const soulView = z.object({
  agent: z.string(),
  /** What the agent is given: the baseline with everything learned. */
  soul: traits,
  /** As the definition has it. */
  baseline: traits,
  learned: z.object({ add: items, remove: items, replace: z.record(z.string(), z.string()) }),
  /** 0 = the baseline alone. */
  version: z.int(),
  /** What a person changed in the file since that version. */
  edited: z.array(soulChangeView),
  /** Why the file of what was learned cannot be used; then only the baseline counts. */
  problem: z.string().nullable(),
  /** How many proposals wait for a person. */
  open: z.int(),
});
export type SoulView = z.output<typeof soulView>;

export const soulVersionView = z.object({
  version: z.int(),
  at: z.string(),
  /** "user", or "guard" for a small change that the project lets it make. */
  by: z.string(),
  why: z.string(),
  evidence: z.array(z.string()),
  proposal: z.string().nullable(),
  changes: z.array(soulChangeView),
});
export type SoulVersionView = z.output<typeof soulVersionView>;

export const soulProposalView = z.object({
  id: z.string(),
  agent: z.string(),
  source: z.enum(["agent", "person", "observation"]),
  author: z.string(),
  observation: z.string(),
  change: soulChangeView,
  /** Small ones may be applied by themselves where the project allows it. */
  risk: z.enum(["small", "significant"]),
  evidence: z.array(z.string()),
  space: z.string().nullable(),
  run: z.string().nullable(),
  /** Who had spoken in the run it was suggested in, and whether it may come from outside text. */
  heard: z.array(z.string()),
  outside: z.boolean(),
  times: z.int(),
  state: z.enum(["open", "approved", "rejected"]),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
  /** The version it became. */
  version: z.int().nullable(),
  at: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
});
export type SoulProposalView = z.output<typeof soulProposalView>;
