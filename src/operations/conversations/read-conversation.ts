import { z } from "zod";
import { conversationEntryView } from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalAgent } from "../core/personal-input.ts";
import { personalOwner } from "../core/personal-owner.ts";

export const readConversation = query({
  name: "read-conversation",
  summary: "Read the last direct messages of an agent, or those of one day, oldest first.",
  input: z.object({
    agent: personalAgent,
    day: z.string().optional().describe("YYYY-MM-DD, UTC"),
    limit: z.int().min(1).max(1000).default(50),
  }),
  output: z.object({ agent: z.string(), entries: z.array(conversationEntryView) }),
  access: everyone,

  async answer(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const { conversations } = owner.value.context;
    const entries = await (data.day === undefined ? conversations.recent(data.limit) : conversations.read(data.day));
    return entries.ok ? ok({ agent: owner.value.agent, entries: entries.value.slice(-data.limit) }) : entries;
  },
});
