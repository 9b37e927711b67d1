import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import { withdrawApprovals } from "../approvals/withdraw-approvals.ts";
import { cancelAllBallots } from "../ballots/cancel-all-ballots.ts";
import { callerName } from "../core/access.ts";
import type { Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postMessage } from "../messages/post-message.ts";
import { endRun } from "../runs/end-run.ts";
import { dropPendingDeliveries } from "../workspaces/set-aside-instance.ts";

const CLOSED = "The space was closed.";

/** Closes a sub-space for good. What waited there ends, because it is never opened again; what runs goes on to its end. */
export async function endSubSpace(ctx: Execute, { key }: Pick<WorkspaceRecord, "key">): Promise<void> {
  await cancelAllBallots(ctx, key, "the space was closed");
  await endLeftWork(ctx, key);
  await ctx.store.workspaces.close(key, ctx.now);
  await ctx.store.rules.pause(key);
  await ctx.emit({ type: "workspace.closed", space: key });
}

/** Ends what nobody works on in a sub-space that is closed: a workspace that goes on does not go on there. */
export async function endLeftWork(ctx: Execute, space: string): Promise<void> {
  await dropPendingDeliveries(ctx, space, CLOSED);
  for (const run of await ctx.store.runs.unfinished()) {
    if (run.space !== space || run.state === "open") continue;
    await withdrawApprovals(ctx, run.id, CLOSED);
    await endRun(ctx, run, "stopped", CLOSED);
  }
}

/** Says in the channel of the workspace what came of it, in the name of who closed it. */
export async function announceOutcome(
  ctx: Execute,
  record: WorkspaceRecord,
  outcome: string,
): Promise<Result<undefined, Refusal>> {
  const { caller } = ctx;
  const address = `@${displayWorkspace(record)}`;
  const closed = `Closed the space ${address}`;
  const said = ctx.services.redact(outcome.trim());
  const text = said === "" ? `${closed}.` : `${closed}: ${said}`;
  const body = `${text}\nRead it with: agent-worker peek ${address}`;
  // The address is no mention, also where an agent is called like the workflow.
  const inert = [
    { start: 0, end: closed.length },
    { start: text.length, end: body.length },
  ];
  const posted = await postMessage(ctx, {
    target: spaceTarget(workspaceOf(record.key)),
    sender: callerName(caller),
    kind: caller.kind === "system" ? "notice" : "message",
    body,
    inert,
    cause: caller.kind === "agent" ? caller.cause : null,
    run: caller.kind === "agent" ? caller.run : null,
  });
  return posted.ok ? ok(undefined) : posted;
}
