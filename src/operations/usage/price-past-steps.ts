import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { priceSteps } from "./price-steps.ts";

/** Gives past steps the prices that a person has just written down, so that all figures agree. */
export const pricePastSteps = proposal(
  {
    name: "price-past-steps",
    summary: "Give past steps whose cost is unknown the price that their model has now.",
    input: z.object({}),
    output: z.object({}),
  },
  {
    access: systemOnly,

    async execute(_data, ctx) {
      await priceSteps(ctx, { since: 0 });
      return ok({});
    },
  },
);
