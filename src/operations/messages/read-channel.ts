import * as contract from "../../contract/messages.ts";
import { transition } from "../../domain/delivery/state.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { proposal, type Execute } from "../core/define.ts";
import { readChannelPage } from "./channel-page.ts";
import { toMessageView } from "./view.ts";

/**
 * The pending deliveries of the messages that an agent reads here join its run: they are acknowledged when the run
 * succeeds and delivered again when it fails. A message whose sender waits for the answer stays for a run of its own. For
 * any other caller it changes nothing.
 */
export const readChannel = proposal(contract.readChannel, {
  access: everyone,

  async execute(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    const page = await readChannelPage(ctx.store, space.value, data);
    if (!page.ok) return page;
    await joinRun(ctx, formatSpace(space.value), new Set(page.value.map(({ id }) => id)));
    return ok({ messages: page.value.map(toMessageView) });
  },
});

const MAX_JOINED = 500;

async function joinRun(ctx: Execute, space: string, shown: ReadonlySet<string>): Promise<void> {
  if (ctx.caller.kind !== "agent" || ctx.caller.run === null) return;
  const run = await ctx.store.runs.byId(ctx.caller.run);
  if (run?.state !== "open") return;
  const { mailbox, leaseOwner } = run;
  for (const delivery of await ctx.store.deliveries.pending({ mailbox, space, now: ctx.now, limit: MAX_JOINED })) {
    const leased = transition(delivery.state, { kind: "lease" });
    if (!leased.ok || delivery.run !== null || delivery.awaited || !shown.has(delivery.message)) continue;
    await ctx.store.deliveries.advance(
      delivery.id,
      { status: "pending", leaseOwner: null },
      { state: leased.value, leaseOwner, run: run.id },
    );
  }
}
