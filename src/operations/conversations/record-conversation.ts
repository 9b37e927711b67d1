import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import type { Utterance } from "../../ports/personal-context.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";

const BATCH = 100;

/**
 * Brings direct messages into the conversation files of an agent. A file cannot be written in the transaction that
 * accepts a message; so the store remembers how far the files are, and this brings them further. It may be asked at any
 * moment: what a file holds already, because a crash came between it and the commit, is not added again.
 *
 * An agent without files is passed over. What was said to an ephemeral one is never recorded: somebody else may come to
 * have its name. Of one that is not defined at present it waits, for a mistake in its file may be corrected.
 */
export const recordConversation = proposal(
  {
    name: "record-conversation",
    summary: "Write the direct messages of an agent into its conversation files.",
    input: z.object({ agent: z.string() }),
    output: z.object({ recorded: z.int(), more: z.boolean() }),
  },
  {
    access: systemOnly,

    async prepare({ agent }, ctx) {
      const { definitions } = ctx.services;
      if (definitions.agent(agent) === undefined) return ok(null);
      const { mark, messages } = await ctx.read((store) => readUnrecorded(store, agent));
      const last = messages.at(-1);
      if (last === undefined) return ok(null);
      const recorded = { count: messages.length, seq: last.seq };
      if (definitions.isEphemeral(agent)) return ok({ ...recorded, mark });
      const context = ctx.services.personal(agent);
      if (!context.ok) return context;
      const kept = await context.value.conversations.append(messages.map(toUtterance), mark);
      return kept.ok ? ok({ ...recorded, mark: kept.value }) : kept;
    },

    async execute({ agent }, ctx, recorded) {
      if (recorded === null) return ok({ recorded: 0, more: false });
      const { count, seq, mark } = recorded;
      await ctx.store.conversations.setRecorded(agent, { seq, mark });
      const next = await ctx.store.messages.page({ space: agent, after: seq, limit: 1 });
      return ok({ recorded: count, more: next.length > 0 });
    },
  },
);

async function readUnrecorded(store: StoreReads, agent: string) {
  const { seq, mark } = await store.conversations.recorded(agent);
  return { mark, messages: await store.messages.page({ space: agent, after: seq, limit: BATCH }) };
}

function toUtterance({ sender, body, createdAt }: MessageRecord): Utterance {
  return { sender, text: body, at: createdAt };
}
