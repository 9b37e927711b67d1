import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/** Stores that a person stopped an agent. Its loop begins no run until something new comes for it. */
export const stopMailbox = proposal(
  {
    name: "stop-mailbox",
    summary: "Let an agent take no work until something new comes for it.",
    input: z.object({ mailbox: z.string() }),
    output: z.object({}),
  },
  {
    access: systemOnly,

    async execute({ mailbox }, ctx) {
      await ctx.store.stops.add({ mailbox, at: ctx.now });
      return ok({});
    },
  },
);
