import * as contract from "../../contract/workspaces.ts";
import { checkRunning } from "../../domain/workspace/participation.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { callerSpace, spaceKey } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { findWorkspace } from "./find-workspace.ts";
import { endAllBallots } from "../ballots/end-ballot.ts";
import { postNotice } from "../messages/post-message.ts";
import { spaceTarget } from "../core/space-target.ts";
import { toWorkspaceView } from "./view.ts";

/**
 * Ends a workspace: it takes no more messages and its agents leave. Everything said, decided and written stays, and so
 * do deliveries nobody handled: they go on when the workspace is opened again. Ballots do not, for nobody could vote.
 */
export const closeWorkspace = proposal(contract.closeWorkspace, {
  access: persons,
  ballotable: true,
  space: (data, caller) => spaceKey(data.target, caller),

  async execute(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    const found = await findWorkspace(ctx.store, space.value);
    if (!found.ok) return found;
    const workspace = found.value;
    const running = checkRunning({ ...workspace, running: workspace.state === "open", participants: [] });
    if (!running.ok) return running;

    await endAllBallots(ctx, workspace.key, "the workspace was closed");
    if (data.reason !== undefined) await postNotice(ctx, spaceTarget(workspace.key), ctx.services.redact(data.reason));
    await ctx.store.workspaces.close(workspace.key, ctx.now);
    await ctx.store.rules.pause(workspace.key);
    await ctx.emit({ type: "workspace.closed", space: workspace.key });
    const participants = (await ctx.store.workspaces.roster(workspace.key)).map(({ agent }) => agent);
    return ok(toWorkspaceView({ ...workspace, state: "closed", closedAt: ctx.now }, participants));
  },
});
