import { z } from "zod";
import { declareProposal, declareQuery } from "./operation.ts";
import { personalAgent } from "./memory.ts";

export const conversationEntryView = z.object({
  day: z.string(),
  /** HH:MM:SS, UTC. */
  time: z.string(),
  sender: z.string(),
  text: z.string(),
});

export const readConversation = declareQuery({
  name: "read-conversation",
  summary: "Read the last direct messages of an agent, or those of one day, oldest first.",
  method: "GET",
  path: "/agents/:agent/conversation",
  personTool: "conversation_read",
  input: z.object({
    agent: personalAgent,
    day: z.string().optional().describe("YYYY-MM-DD, UTC"),
    limit: z.int().min(1).max(1000).default(50),
  }),
  output: z.object({ agent: z.string(), entries: z.array(conversationEntryView) }),
});

export const clearConversation = declareProposal({
  name: "clear-conversation",
  summary: "Let an agent start afresh: its conversations are set aside in the archive folder, and nothing is deleted.",
  method: "DELETE",
  path: "/agents/:agent/conversation",
  input: z.object({ agent: z.string() }),
  output: z.object({ agent: z.string(), archived: z.array(z.string()) }),
});
