import { z } from "zod";
import { messageView } from "../messages.ts";
import { declareProposal, declareQuery } from "../operation.ts";

/** A sub-space of a workspace: a channel of its own for some of its participants. */
export const subSpaceView = z.object({
  /** Its key: `@review:main/design`. */
  space: z.string(),
  /** As people and agents write it: `@review/design`. */
  address: z.string(),
  name: z.string(),
  state: z.enum(["open", "closed"]),
  members: z.array(z.string()),
  /** Why it was opened, and by whom. Null when that message is not stored any more. */
  purpose: z.string().nullable(),
  openedBy: z.string().nullable(),
  openedAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable(),
});
export type SubSpaceView = z.output<typeof subSpaceView>;

const MAX_PURPOSE = 8_000;
const MAX_MEMBERS = 50;
const MAX_SHOWN = 100;

export const openSpace = declareProposal({
  name: "open-space",
  summary: "Open a sub-space of a workspace: some of its participants talk there, in a channel of its own.",
  method: "POST",
  path: "/spaces",
  input: z.object({
    target: z.string().optional().describe("@review, @review:pr-1 or @review/NAME. Agents: leave it out."),
    name: z.string().optional().describe("A short name; without one it is space-1, space-2 and so on."),
    members: z.array(z.string()).min(1).max(MAX_MEMBERS).describe("Who talks there. Each is woken with the purpose."),
    purpose: z
      .string()
      .max(MAX_PURPOSE)
      .refine((text) => text.trim() !== "", "the purpose is empty")
      .describe("What it is for: the first message there."),
  }),
  output: subSpaceView,
});

export const closeSpace = declareProposal({
  name: "close-space",
  summary: "Close a sub-space, and say in the channel of its workspace what came of it.",
  method: "POST",
  path: "/spaces/close",
  input: z.object({
    space: z.string().describe("@review/design, or its name alone for agents."),
    outcome: z.string().max(MAX_PURPOSE).default("").describe("What came of it, for those who were not there."),
  }),
  output: subSpaceView,
});

export const listSpaces = declareQuery({
  name: "list-spaces",
  summary: "List the sub-spaces of a workspace; with a name also what was said last in that one.",
  personTool: "space_list",
  method: "GET",
  path: "/spaces",
  input: z.object({
    target: z.string().optional().describe("@review or @review:pr-1. Agents: leave it out."),
    name: z.string().optional().describe("Show the last messages of this one."),
    limit: z.int().min(1).max(MAX_SHOWN).default(20).describe("How many messages."),
  }),
  output: z.object({ spaces: z.array(subSpaceView), messages: z.array(messageView) }),
});
