import { z } from "zod";
import { MESSAGE_KINDS } from "../domain/message/message.ts";
import { declareProposal, declareQuery } from "./operation.ts";

/** How urgent a delivery is. */
export const laneView = z.enum(["immediate", "normal", "background"]);

export const messageView = z.object({
  id: z.string(),
  /** Its sequence number. Pass it as `since` to read later messages. */
  seq: z.int(),
  space: z.string(),
  from: z.string(),
  /** `user` when another sender posts it and every word is the person's, as a rule does whose text quotes nothing. */
  onBehalfOf: z.string().nullable(),
  /** The agent it was sent to. Null for the channel. */
  to: z.string().nullable(),
  kind: z.enum(MESSAGE_KINDS),
  content: z.string(),
  /** Id of the resource with the whole content, when `content` is only its beginning. Null otherwise. */
  resource: z.string().nullable(),
  mentions: z.array(z.string()),
  cause: z.string().nullable(),
  /** The run that posted it, or that a notice is about. */
  run: z.string().nullable(),
  at: z.iso.datetime(),
});
export type MessageView = z.output<typeof messageView>;

/** What the sender of an accepted message gets. */
export const receiptView = z.object({
  id: z.string(),
  seq: z.int(),
  space: z.string(),
  recipients: z.array(z.object({ agent: z.string(), lane: laneView })),
  resource: z.string().nullable(),
  /** True when the idempotency key was used before: this is the first receipt again. */
  duplicate: z.boolean(),
  /** For example unknown names that it mentions, or that its chain was stopped. */
  warnings: z.array(z.string()),
});
export type ReceiptView = z.output<typeof receiptView>;

const MAX_PAGE_MESSAGES = 500;
const MAX_MESSAGE_CHARS = 1024 * 1024;
const TOO_LONG =
  "the message is longer than 1,048,576 characters, which is the most; a person sends more with: " +
  "agent-worker send TARGET --file PATH, an agent with resource_create";

/** The input of `peek-channel` and `read-channel`. */
export const channelPage = z.object({
  target: z.string().optional().describe("@review, @review:pr-1, or an agent for its direct messages"),
  since: z.int().nonnegative().optional().describe("Only messages after this sequence number."),
  before: z.int().positive().optional().describe("Only messages before this sequence number."),
  limit: z.int().min(1).max(MAX_PAGE_MESSAGES).default(50),
  find: z.string().min(1).optional().describe("Only messages that contain this text."),
});

/** For operations that can look at an earlier instance of a workspace. */
export const earlierInstance = z
  .int()
  .positive()
  .optional()
  .describe("Look at an earlier instance of the workspace: 1 is the one before the current. Persons only.");

export const sendMessage = declareProposal({
  name: "send-message",
  summary:
    "Send a message: to an agent, to an agent in a workspace, or to a workspace's channel, where @name wakes that agent.",
  personTool: "send",
  method: "POST",
  path: "/send",
  large: true,
  input: z.object({
    to: z.string().optional().describe("alice, alice@review, alice@review:pr-1, @review or @review:pr-1"),
    message: z
      .string()
      .max(MAX_MESSAGE_CHARS, TOO_LONG)
      .refine((text) => text.trim() !== "", "the message is empty"),
    lane: laneView.optional().describe("How urgent it is, if not what the target implies. Persons only."),
    idempotencyKey: z.string().min(1).max(200).optional().describe("The same key is accepted once."),
    awaitsAnswer: z
      .boolean()
      .default(false)
      .describe("You wait for the answer: it is answered by a run of its own, not together with others. Persons only."),
  }),
  output: receiptView,
});

export const peekChannel = declareQuery({
  name: "peek-channel",
  summary: "Look at the messages of a channel, or the direct messages of an agent, without taking any as read.",
  personTool: "channel_read",
  method: "GET",
  path: "/channel",
  input: channelPage.extend({ earlier: earlierInstance }),
  output: z.object({ messages: z.array(messageView) }),
});

export const readChannel = declareProposal({
  name: "read-channel",
  summary:
    "Read the messages of a channel, oldest first. What was waiting for you counts as read when your run succeeds.",
  method: "POST",
  path: "/channel/read",
  input: channelPage,
  output: z.object({ messages: z.array(messageView) }),
});
