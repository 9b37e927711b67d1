import { z } from "zod";
import { transition } from "../domain/delivery/state.ts";
import { ok } from "../kernel/result.ts";
import { systemOnly } from "./access.ts";
import { proposal } from "./define.ts";
import { endRun } from "./end-run.ts";
import { heldRun, heldRunInput } from "./held-run.ts";

/**
 * A run gives way between two steps. Its deliveries wait again, and whoever takes them resumes it where it stopped.
 * One whose deliveries were all acknowledged meanwhile ends here: nothing would ever bring it back.
 */
export const parkRun = proposal({
  name: "park-run",
  summary: "Put a run aside after its last finished step, for more urgent work.",
  input: heldRunInput,
  output: z.object({ parked: z.boolean() }),
  access: systemOnly,
  space: ({ space }) => space,

  async execute({ run: id, holder }, ctx) {
    const run = await heldRun(ctx.store, id, holder);
    if (!run.ok) return run;
    const deliveries = await ctx.store.deliveries.ofRun(id);
    if (deliveries.length === 0) {
      await endRun(ctx, run.value, "cancelled", "It was interrupted when nobody waited for it any more.");
      return ok({ parked: false });
    }
    for (const delivery of deliveries) {
      const next = transition(delivery.state, { kind: "yield", at: ctx.now });
      if (!next.ok) continue;
      await ctx.store.deliveries.advance(
        delivery.id,
        { status: "leased", holder },
        { state: next.value, holder: null, run: id },
      );
    }
    await ctx.store.runs.move(id, { ...run.value, state: "parked" });
    return ok({ parked: true });
  },
});
