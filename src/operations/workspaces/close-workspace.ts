import * as contract from "../../contract/workspaces.ts";
import { checkRunning } from "../../domain/workspace/participation.ts";
import { isSubSpace } from "../../domain/workspace/sub-space.ts";
import { ok } from "../../kernel/result.ts";
import { cancelAllBallots } from "../ballots/cancel-all-ballots.ts";
import { persons } from "../core/access.ts";
import { callerSpace, spaceKey } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";
import { announceOutcome, endSubSpace } from "../spaces/close-sub-space.ts";
import { findWorkspace } from "./find-workspace.ts";
import { toWorkspaceView } from "./view.ts";

/**
 * Closes a workspace: it accepts no messages, and its agents do not run in it. Messages and documents stay, and so do
 * open deliveries, for when the workspace is opened again. Its sub-spaces are closed for good. Open ballots are cancelled, because no agent could vote.
 */
export const closeWorkspace = proposal(contract.closeWorkspace, {
  access: persons,
  space: (data, caller) => spaceKey(data.target, caller),
  ballotable: true,

  async execute(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    const found = await findWorkspace(ctx.store, space.value);
    if (!found.ok) return found;
    const workspace = found.value;
    const running = checkRunning({ ...workspace, running: workspace.state === "open", participants: [] });
    if (!running.ok) return running;

    const participants = (await ctx.store.workspaces.roster(workspace.key)).map(({ agent }) => agent);
    const closed = toWorkspaceView({ ...workspace, state: "closed", closedAt: ctx.now }, participants);
    if (isSubSpace(workspace.key)) {
      await endSubSpace(ctx, workspace);
      const announced = await announceOutcome(ctx, workspace, data.reason ?? "");
      return announced.ok ? ok(closed) : announced;
    }
    for (const each of await ctx.store.workspaces.within(workspace))
      if (each.state === "open") await endSubSpace(ctx, each);
    await cancelAllBallots(ctx, workspace.key, "the workspace was closed");
    if (data.reason !== undefined) await postNotice(ctx, spaceTarget(workspace.key), ctx.services.redact(data.reason));
    await ctx.store.workspaces.close(workspace.key, ctx.now);
    await ctx.store.rules.pause(workspace.key);
    await ctx.emit({ type: "workspace.closed", space: workspace.key });
    return ok(closed);
  },
});
