import { z } from "zod";

/** Messages, deliveries and receipts as every face shows them. */
export const laneView = z.enum(["immediate", "normal", "background"]);

export const messageView = z.object({
  id: z.string(),
  /** Position in the store: pass it as `since` to read what came after. */
  seq: z.int(),
  space: z.string(),
  from: z.string(),
  /** The agent a direct send names; null for the channel. */
  to: z.string().nullable(),
  kind: z.enum(["message", "kickoff", "notice", "prompt"]),
  content: z.string(),
  /** Where the whole content is, when `content` is only its beginning. */
  resource: z.string().nullable(),
  mentions: z.array(z.string()),
  cause: z.string().nullable(),
  /** The run that said it, or that a notice is about. */
  run: z.string().nullable(),
  at: z.iso.datetime(),
});
export type MessageView = z.output<typeof messageView>;

export const receiptView = z.object({
  id: z.string(),
  seq: z.int(),
  space: z.string(),
  recipients: z.array(z.object({ agent: z.string(), lane: laneView })),
  resource: z.string().nullable(),
  /** True when this idempotency key was accepted before: this is the first receipt again. */
  duplicate: z.boolean(),
  /** What the sender should know although the message was accepted: names nobody has, a chain that was stopped. */
  warnings: z.array(z.string()),
});
export type ReceiptView = z.output<typeof receiptView>;

export const deliveryView = z.object({
  id: z.string(),
  agent: z.string(),
  lane: laneView,
  state: z.enum(["pending", "leased", "acked", "dead"]),
  attempts: z.int(),
  reason: z.string().nullable(),
  message: messageView,
});
export type DeliveryView = z.output<typeof deliveryView>;
