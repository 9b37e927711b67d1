import { z } from "zod";
import { messageView } from "../../contract/message.ts";
import { transition } from "../../domain/delivery/state.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { channelPage, readPage } from "./channel-page.ts";
import { proposal, type Execute } from "../core/define.ts";
import { toMessageView } from "./view.ts";

/**
 * Reading counts. What an agent is shown here and was still waiting for it becomes part of the run it reads in:
 * acknowledged when that run succeeds, delivered again when it fails. Anybody else's reading changes nothing.
 */
export const readChannel = proposal({
  name: "read-channel",
  summary:
    "Read the messages of a channel, oldest first. What was waiting for you counts as read when your run succeeds.",
  input: channelPage,
  output: z.object({ messages: z.array(messageView) }),
  access: everyone,

  async execute(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    const page = await readPage(ctx.store, space.value, data);
    if (!page.ok) return page;
    await joinRun(ctx, formatSpace(space.value), new Set(page.value.map(({ id }) => id)));
    return ok({ messages: page.value.map(toMessageView) });
  },
});

const JOINED_AT_ONCE = 500;

async function joinRun(ctx: Execute, space: string, shown: ReadonlySet<string>): Promise<void> {
  if (ctx.caller.kind !== "agent" || ctx.caller.run === null) return;
  const run = await ctx.store.runs.byId(ctx.caller.run);
  if (run?.state !== "open") return;
  const { mailbox, leaseOwner } = run;
  for (const delivery of await ctx.store.deliveries.pending({ mailbox, space, now: ctx.now, limit: JOINED_AT_ONCE })) {
    const leased = transition(delivery.state, { kind: "lease" });
    if (!leased.ok || delivery.run !== null || !shown.has(delivery.message)) continue;
    await ctx.store.deliveries.advance(
      delivery.id,
      { status: "pending", leaseOwner: null },
      { state: leased.value, leaseOwner, run: run.id },
    );
  }
}
