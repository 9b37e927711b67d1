import { z } from "zod";
import { declareProposal, declareQuery } from "../operation.ts";

export const unreadView = z.object({
  space: z.string(),
  /** What others said since the person looked. At most 500 messages are looked at. */
  messages: z.int(),
  /** How many of them say @user. */
  mentions: z.int(),
  /** Sequence number of the last message that was read; 0 when none was. */
  readTo: z.int(),
});
export type UnreadView = z.output<typeof unreadView>;

export const listUnread = declareQuery({
  name: "list-unread",
  summary: "List the spaces in which something was said that you have not read yet.",
  method: "GET",
  path: "/unread",
  input: z.object({}),
  output: z.object({ spaces: z.array(unreadView) }),
});

export const markRead = declareProposal({
  name: "mark-read",
  summary: "Say up to which message you have read a space. It stays so, in every browser and after a restart.",
  method: "POST",
  path: "/unread/read",
  input: z.object({
    target: z.string().describe("@review, or an agent for its direct messages"),
    seq: z.int().nonnegative().describe("Sequence number of the last message that you have read."),
  }),
  output: z.object({ space: z.string(), readTo: z.int() }),
});
