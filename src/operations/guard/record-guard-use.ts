import { z } from "zod";
import { utcDay } from "../../domain/budget/day.ts";
import { estimateCost } from "../../domain/budget/price.ts";
import { UNKNOWN_USAGE } from "../../domain/budget/usage.ts";
import { GUARD_PURPOSES } from "../../domain/guard/guard-purpose.ts";
import { ok } from "../../kernel/result.ts";
import { GUARD_OUTCOMES } from "../../ports/store/guard-use.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/** Records one question of the guard to its model: see `guard/model/ask-guard-model.ts`. */
export const recordGuardUse = proposal(
  {
    name: "record-guard-use",
    summary: "Record what a question of the guard to its model used.",
    input: z.object({
      mailbox: z.string(),
      space: z.string(),
      run: z.string().nullable(),
      purpose: z.enum(GUARD_PURPOSES),
      model: z.string(),
      outcome: z.enum(GUARD_OUTCOMES),
      reason: z.string().nullable(),
      wallMs: z.int().min(0),
      inputTokens: z.int().min(0),
      outputTokens: z.int().min(0),
    }),
    output: z.object({}),
  },
  {
    access: systemOnly,

    async execute(use, ctx) {
      const { model, inputTokens, outputTokens, reason } = use;
      const price = ctx.services.prices.of(model);
      const isFree = inputTokens + outputTokens === 0;
      const cost = price && estimateCost({ ...UNKNOWN_USAGE, inputTokens, outputTokens }, price);
      await ctx.store.guardUses.add({
        ...use,
        reason: reason === null ? null : ctx.services.redact(reason),
        usd: isFree ? 0 : cost === undefined || cost.basis === "unknown" ? null : cost.usd,
        day: utcDay(ctx.now),
        at: ctx.now,
      });
      return ok({});
    },
  },
);
