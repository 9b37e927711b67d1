import type { Execute } from "../core/define.ts";

/** Wakes everyone something waits for in a space: what rested while its workspace was closed or being set up. */
export async function wakeWaiting(ctx: Execute, space: string): Promise<void> {
  for (const mailbox of (await ctx.store.deliveries.countOpenByMailbox(space)).keys()) ctx.wake(mailbox);
}
