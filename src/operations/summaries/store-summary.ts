import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";

const summary = z.object({
  space: z.string(),
  level: z.int(),
  from: z.number(),
  to: z.number(),
  messages: z.int(),
  text: z.string(),
  model: z.string().nullable(),
  failure: z.string().nullable(),
  attempts: z.int(),
  senders: z.array(z.string()).readonly(),
  fingerprint: z.string(),
  createdAt: z.number(),
});

/** Stores a summary of earlier messages. With `changedFrom`, those from there on are removed first. */
export const storeSummary = proposal(
  {
    name: "store-summary",
    summary: "Keep a summary of earlier messages of a space.",
    input: z.object({ summary, changedFrom: z.number().nullable() }),
    output: z.object({}),
  },
  {
    access: systemOnly,

    async execute({ summary: made, changedFrom }, ctx) {
      if (changedFrom !== null) await ctx.store.summaries.removeFrom(made.space, changedFrom);
      await ctx.store.summaries.put({ ...made, text: ctx.services.redact(made.text) });
      return ok({});
    },
  },
);
