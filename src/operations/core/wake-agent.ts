import type { Execute } from "./define.ts";

/** Something new came for an agent: it is woken, even if a person had stopped it. */
export async function wakeAgent(ctx: Execute, mailbox: string): Promise<void> {
  await ctx.store.stops.remove(mailbox);
  ctx.wake(mailbox);
}
