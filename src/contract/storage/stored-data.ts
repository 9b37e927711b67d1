import { z } from "zod";
import { declareProposal, declareQuery } from "../operation.ts";

/** What was removed, or would be. */
export const prunedView = z.object({
  /** Runs that lost their transcript and their tool calls. */
  transcripts: z.object({ runs: z.int(), bytes: z.int() }),
  events: z.object({ count: z.int(), bytes: z.int() }),
  /** Closed workspaces, with their messages and runs. */
  workspaces: z.object({ count: z.int(), messages: z.int(), bytes: z.int() }),
  /** Dead letters that were dropped. */
  deadLetters: z.object({ count: z.int() }),
});
export type PrunedView = z.output<typeof prunedView>;

export const pruneStore = declareProposal({
  name: "prune-store",
  summary: "Remove old data that the retention of the project no longer keeps, or count it; a part at a time.",
  method: "POST",
  path: "/store/prune",
  input: z.object({
    dryRun: z.boolean().default(false).describe("Count what would be removed, and remove nothing."),
    after: z.string().max(500).optional().describe("Where to go on: `next` of the part before."),
  }),
  output: z.object({
    pruned: prunedView,
    /** Pass it as `after` to go on; null at the end. */
    next: z.string().nullable(),
  }),
});

export const showStoreSize = declareQuery({
  name: "show-store-size",
  summary: "Show what the database takes on disk, and how much of it is free for new data.",
  method: "GET",
  path: "/store",
  input: z.object({}),
  output: z.object({ bytes: z.int(), freeBytes: z.int() }),
});

export const vacuumStore = declareProposal({
  name: "vacuum-store",
  summary: "Give the free space of the database back to the disk. New messages wait meanwhile; reading goes on.",
  method: "POST",
  path: "/store/vacuum",
  input: z.object({}),
  output: z.object({ bytesBefore: z.int(), bytesAfter: z.int() }),
});

export const reopenStore = declareProposal({
  name: "reopen-store",
  summary: "Open the database that is there now, or an empty one, after the one in use was deleted, moved or replaced.",
  method: "POST",
  path: "/store/reopen",
  input: z.object({}),
  output: z.object({ begins: z.enum(["empty", "as found"]) }),
});
