import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import { transition } from "../../domain/delivery/state.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { Execute } from "../core/define.ts";

/** Gives deliveries up, with the reason. Whoever does so tells people: nothing dies in silence. */
export async function makeDeadLetters(
  ctx: Execute,
  deliveries: readonly DeliveryRecord[],
  reason: string,
): Promise<void> {
  for (const { id, state, leaseOwner, space, mailbox } of deliveries) {
    const dead = transition(state, { kind: "exhaust", reason });
    if (!dead.ok) throw new Error(`${id}: ${dead.error.message}`);
    await ctx.store.deliveries.advance(
      id,
      { status: state.status, leaseOwner },
      { state: dead.value, leaseOwner: null, run: null },
    );
    await ctx.emit({ type: "delivery.dead", space, agent: mailboxAgent(mailbox), delivery: id });
  }
}
