import { estimateCost } from "../../domain/budget/price.ts";
import type { StepQuery } from "../../ports/store/usage.ts";
import type { Execute } from "../core/define.ts";

/**
 * Gives past steps without a known cost the one that their model has by now: a person may have added its price to the
 * project file. Returns whether any cost became known.
 */
export async function priceSteps({ store, services }: Execute, query: StepQuery): Promise<boolean> {
  let found = false;
  for (const { run, number, model, usage } of await store.usage.unpriced(query)) {
    const price = services.prices.of(model);
    const cost = price === undefined ? undefined : estimateCost(usage, price);
    if (cost === undefined || cost.basis === "unknown") continue;
    await store.usage.price(run, number, cost.usd);
    found = true;
  }
  return found;
}
