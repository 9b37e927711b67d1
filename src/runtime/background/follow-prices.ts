import { systemCaller } from "../../kernel/caller.ts";
import type { Log } from "../../kernel/log.ts";
import { pricePastSteps } from "../../operations/usage/price-past-steps.ts";
import type { OpenProject } from "../open-project.ts";

/** A price that is added or changed in the project file counts for past steps whose cost is not known yet. */
export function followPrices(
  { events, definitions, system }: Pick<OpenProject, "events" | "definitions" | "system">,
  { log }: { readonly log: Log },
): Disposable {
  const prices = (): string => JSON.stringify(definitions.settings().prices);
  let known = prices();
  return events.observe((published) => {
    if (!published.some(({ type }) => type === "definitions.changed")) return;
    const before = known;
    known = prices();
    if (known === before) return;
    system
      .propose(systemCaller, pricePastSteps, {})
      .catch((error: unknown) => log.error("could not give past steps their price", { error }));
  });
}
