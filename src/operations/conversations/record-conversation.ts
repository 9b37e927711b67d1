import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import type { Utterance } from "../../ports/personal-context.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";

const BATCH = 100;

/**
 * Appends direct messages to the conversation files of an agent. No file can be written in the transaction that accepts
 * a message, so the store has the number of the last message in the files. Calling it again is safe: what a file
 * contains, because the daemon crashed before the commit, is not appended again.
 *
 * Messages of an ephemeral agent are not written to files, unless it is promoted. Those of an agent that is
 * not defined at present are written later, because a mistake in its definition may be corrected.
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
      if (definitions.agent(agent) === undefined || definitions.isEphemeral(agent)) return ok(null);
      const { mark, messages } = await ctx.read((store) => readUnrecorded(store, agent));
      const last = messages.at(-1);
      if (last === undefined) return ok(null);
      const recorded = { count: messages.length, seq: last.seq };
      const context = ctx.services.personal(agent);
      if (!context.ok) return context;
      const appended = await context.value.conversations.append(messages.map(toUtterance), mark);
      return appended.ok ? ok({ ...recorded, mark: appended.value }) : appended;
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
