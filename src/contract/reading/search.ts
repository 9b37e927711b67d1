import { z } from "zod";
import { messageView } from "../messages.ts";
import { declareQuery } from "../operation.ts";
import { runView } from "../runs.ts";

/** A line of a document that contains the text. */
export const foundLineView = z.object({
  space: z.string(),
  file: z.string(),
  line: z.int(),
  text: z.string(),
});
export type FoundLineView = z.output<typeof foundLineView>;

export const foundView = z.object({
  /** Names of agents that contain the text, or whose role does. */
  agents: z.array(z.object({ name: z.string(), role: z.string().nullable() })),
  workspaces: z.array(z.object({ space: z.string(), state: z.enum(["open", "closed"]) })),
  /** Of open workspaces. */
  documents: z.array(foundLineView),
  /** Those whose last text, failure or id contains it, of the newest. */
  runs: z.array(runView.pick({ id: true, agent: true, space: true, startedAt: true, outcome: true, detail: true })),
  /** Newest first. */
  messages: z.array(messageView),
  /** Pass it as `before` to look at earlier messages; null when all were looked at. */
  next: z.int().nullable(),
});
export type FoundView = z.output<typeof foundView>;

export const search = declareQuery({
  name: "search",
  summary:
    "Find a text in the messages of all spaces, in documents, runs and the names of agents and workspaces, a part at a time.",
  method: "GET",
  path: "/search",
  personTool: "search",
  input: z.object({
    text: z.string().trim().min(1).max(200),
    before: z.int().positive().optional().describe("Go on with earlier messages: the `next` of the answer before."),
    limit: z.int().min(1).max(100).default(20).describe("At most so many of each kind."),
  }),
  output: foundView,
});
