import { z } from "zod";
import { memoryEntryView } from "./memory.ts";

/** Something found in what an agent knows: a memory, a part of a note, or what was said in direct messages. */
export const recalledView = memoryEntryView.extend({
  kind: z.enum(["memory", "note", "conversation"]),
  /** Where it comes from, in words; null when nobody took it down. */
  from: z.string().nullable(),
  /** How well it fits; means something only beside others of the same search. */
  score: z.number(),
});
export type RecalledView = z.output<typeof recalledView>;

/** A question one agent asked about another. */
export const questionView = z.object({
  id: z.string(),
  agent: z.string(),
  asker: z.string(),
  space: z.string(),
  run: z.string().nullable(),
  query: z.string(),
  /** How many memories the answer was made of. */
  shared: z.int(),
  at: z.string(),
});
