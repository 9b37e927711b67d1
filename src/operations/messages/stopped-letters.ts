import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { Execute } from "../core/define.ts";
import { settleDeadLetter } from "../dead-letters/dead-letter.ts";

/** A dead letter whose chain of messages was stopped by a limit. Retrying it is of no use: only a person goes on. */
export interface StoppedLetter {
  readonly agent: string;
  readonly delivery: DeliveryRecord;
}

/** So many of the newest dead letters of a space are looked at: a message must not cost more where many are left. */
const MOST = 100;

export async function findStoppedLetters(ctx: Execute, space: string): Promise<StoppedLetter[]> {
  const stopped: StoppedLetter[] = [];
  for (const { delivery, message } of (await ctx.store.deliveries.dead({ space, limit: MOST })).toReversed()) {
    const limited = delivery.state.status === "dead" && delivery.state.outcome === "incomplete";
    const chain = limited ? await ctx.store.causal.tree(message.root) : undefined;
    if (chain !== undefined && chain.tripped !== null) {
      stopped.push({ agent: delivery.agent, delivery });
    }
  }
  return stopped;
}

/** The recipients of a person's message go on with that message: their stopped letters are settled. */
export async function replaceStoppedLetters(
  ctx: Execute,
  stopped: readonly StoppedLetter[],
  recipients: readonly { readonly recipient: string }[],
): Promise<void> {
  const names = new Set(recipients.map(({ recipient }) => recipient));
  for (const { agent, delivery } of stopped) if (names.has(agent)) await settleDeadLetter(ctx, delivery, "drop");
}
