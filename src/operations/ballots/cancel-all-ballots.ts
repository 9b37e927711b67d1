import type { BallotRecord } from "../../ports/store/ballot.ts";
import { callerName } from "../core/access.ts";
import type { Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";
import { cancelNotice } from "./ballot-notice.ts";

const BATCH = 100;

/** Cancels every open ballot of a workspace that closes. Nobody is woken. */
export async function cancelAllBallots(ctx: Execute, space: string, reason: string): Promise<void> {
  for (;;) {
    const open = await ctx.store.ballots.list({ space, state: "open", limit: BATCH });
    if (open.length === 0) return;
    for (const ballot of open) {
      await closeCancelled(ctx, ballot);
      await postNotice(ctx, spaceTarget(space), cancelNotice(ballot, callerName(ctx.caller), reason));
    }
  }
}

export async function closeCancelled(ctx: Execute, { id, space }: BallotRecord): Promise<void> {
  await ctx.store.ballots.close(id, { state: "cancelled", outcome: null, closedAt: ctx.now });
  await ctx.emit({ type: "ballot.closed", space, ballot: id, state: "cancelled" });
}
