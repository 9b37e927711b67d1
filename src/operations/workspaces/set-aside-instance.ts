import { transition } from "../../domain/delivery/state.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import { withdrawApprovals } from "../approvals/withdraw-approvals.ts";
import type { Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";
import { endRun } from "../runs/end-run.ts";

const NEW_INSTANCE = "A new instance of the workspace began.";
const BATCH = 500;
const MOST_PENDING = 100_000;

/**
 * Makes the closed instance of a workspace an earlier one, which can only be read: nothing of it may run in the next.
 * What was still to be answered is dropped, and a notice says so. Returns the key it has from now on. Refused while a
 * step of it is still running, because its agent would act in the next instance.
 */
export async function setAsideInstance(ctx: Execute, workspace: WorkspaceRecord): Promise<Result<string, Refusal>> {
  const { key } = workspace;
  const runs = (await ctx.store.runs.unfinished()).filter(({ space }) => space === key);
  const busy = runs.find(({ state }) => state === "open");
  if (busy !== undefined) {
    const name = displayWorkspace(workspace);
    return refuse("conflict", `${busy.agent} is still ending its last step in "${name}".`, {
      hint: "Try again in a moment.",
    });
  }
  for (const subSpace of await ctx.store.workspaces.within(workspace)) {
    const aside = await setAsideInstance(ctx, subSpace);
    if (!aside.ok) return aside;
  }
  const dropped = await dropOpenDeliveries(ctx, key);
  for (const run of runs) {
    await withdrawApprovals(ctx, run.id, NEW_INSTANCE);
    await endRun(ctx, run, "stopped", NEW_INSTANCE);
  }
  if (dropped > 0) {
    const messages = dropped === 1 ? "1 message was" : `${dropped} messages were`;
    await postNotice(ctx, spaceTarget(key), `${NEW_INSTANCE} ${messages} not answered.`);
  }
  return ok(await ctx.store.workspaces.setAside(workspace));
}

async function dropOpenDeliveries(ctx: Execute, space: string): Promise<number> {
  for (let dropped = 0; ;) {
    const open = await ctx.store.deliveries.open({ space, limit: BATCH });
    if (open.length === 0) return dropped;
    for (const { delivery } of open) await drop(ctx, delivery, NEW_INSTANCE);
    dropped += open.length;
  }
}

/** Drops what nobody works on yet in a space that is closed for good. */
export async function dropPendingDeliveries(ctx: Execute, space: string, reason: string): Promise<void> {
  const open = await ctx.store.deliveries.open({ space, limit: MOST_PENDING });
  for (const { delivery } of open) if (delivery.state.status === "pending") await drop(ctx, delivery, reason);
}

/** Whoever ends the space drops it, as a dead letter is dropped. */
async function drop(
  ctx: Execute,
  { id, state, leaseOwner, run, space, agent }: DeliveryRecord,
  reason: string,
): Promise<void> {
  const dead = transition(state, { kind: "exhaust", outcome: "failed", reason });
  const settled = dead.ok ? transition(dead.value, { kind: "drop" }) : dead;
  if (!settled.ok) throw new Error(`${id}: ${settled.error.message}`);
  await ctx.store.deliveries.advance(
    id,
    { status: state.status, leaseOwner },
    { state: settled.value, leaseOwner: null, run },
  );
  await ctx.emit({ type: "delivery.dropped", space, agent, delivery: id });
}
