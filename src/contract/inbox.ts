import { z } from "zod";
import { laneView, messageView } from "./messages.ts";
import { declareProposal, declareQuery } from "./operation.ts";
import { waitingRunView } from "./runs.ts";

/** One message for one recipient. */
export const deliveryView = z.object({
  id: z.string(),
  agent: z.string(),
  lane: laneView,
  state: z.enum(["pending", "leased", "acked", "dead"]),
  attempts: z.int(),
  /** Why it is dead. Null otherwise. */
  reason: z.string().nullable(),
  message: messageView,
});
export type DeliveryView = z.output<typeof deliveryView>;

/** The input of the lists of deliveries. */
export const deliveryListInput = z.object({
  target: z.string().optional().describe("@review, or an agent for its direct messages; absent: everywhere."),
  limit: z.int().min(1).max(500).default(50),
});

export const deliveryListOutput = z.object({ deliveries: z.array(deliveryView) });

export const readInbox = declareQuery({
  name: "read-inbox",
  summary:
    "List the messages that wait for an agent: its open deliveries, urgent ones first, then in order of arrival.",
  personTool: "inbox_read",
  method: "GET",
  path: "/inbox",
  input: z.object({
    target: z.string().optional().describe("alice for all her spaces, alice@review for one. Agents: leave it out."),
    limit: z.int().min(1).max(500).default(50),
  }),
  output: z.object({
    deliveries: z.array(deliveryView),
    /** The runs of these deliveries that wait. Empty for agents. */
    waits: z.array(waitingRunView),
    /** Why the agent begins no run: its definition is missing or broken, or a person has to allow what it can do. */
    obstacles: z.array(z.string()),
  }),
});

export const ackDeliveries = declareProposal({
  name: "ack-deliveries",
  summary: "Acknowledge deliveries by id, so that they leave the inbox.",
  method: "POST",
  path: "/inbox/ack",
  input: z.object({
    ids: z.array(z.string()).min(1).max(500),
    agent: z.string().optional().describe("Whose deliveries they are. Agents: leave it out."),
  }),
  output: z.object({ acked: z.array(z.string()) }),
});

export const listDeliveries = declareQuery({
  name: "list-deliveries",
  summary: "List the open deliveries of all agents, in one space or in all: what is being worked on, then what waits.",
  method: "GET",
  path: "/deliveries",
  input: deliveryListInput,
  output: deliveryListOutput,
});
