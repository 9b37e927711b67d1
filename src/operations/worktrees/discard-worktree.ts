import * as contract from "../../contract/git/worktrees.ts";
import { parseSpace } from "../../domain/message/space.ts";
import { worktreeTarget, type WorktreePlace } from "../../domain/worktree/worktree.ts";
import { splitTag } from "../../domain/workspace/sub-space.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { ApprovalRecord } from "../../ports/store/approval.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { withdrawApprovals } from "../approvals/withdraw-approvals.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { findWorktree } from "./find-worktree.ts";
import { toWorktreeView } from "./view.ts";

const MOST_APPROVALS = 500;

export const discardWorktree = proposal(contract.discardWorktree, {
  access: persons,

  async prepare({ target }, ctx) {
    const { worktrees } = ctx.services;
    const found = await findWorktree(worktrees, target);
    if (!found.ok) return found;
    const { place } = found.value;
    const waiting = await ctx.read((store) => waitingCalls(store, place));
    const decidable = waiting.find(({ isStopped }) => !isStopped);
    if (decidable !== undefined) {
      const { agent, tool, id } = decidable.approval;
      const whose = worktreeTarget(place);
      return refuse("conflict", `${agent} waits in the worktree of ${whose} for a yes to ${tool} (${id}).`, {
        hint: `Decide it first: agent-worker deny ${id}. Or stop the work: agent-worker stop ${whose}`,
      });
    }
    const discarded = await worktrees.discard(place);
    if (!discarded.ok) return discarded;
    const { commit, unkept } = discarded.value;
    const runs = [...new Set(waiting.map(({ approval }) => approval.run))];
    return ok({ view: { ...toWorktreeView(found.value), commit, unkept: [...unkept] }, runs });
  },

  async execute(_, ctx, { view, runs }) {
    for (const run of runs) await withdrawApprovals(ctx, run, "The worktree was discarded before anybody decided.");
    return ok(view);
  },
});

/**
 * Returns the calls that a person was asked about and that would be made in this worktree: after a yes they would change
 * other content than was shown. Those of a stopped workspace cannot be decided now.
 */
async function waitingCalls(
  store: StoreReads,
  place: WorktreePlace,
): Promise<{ readonly approval: ApprovalRecord; readonly isStopped: boolean }[]> {
  const pending = await store.approvals.list({ state: "pending", limit: MOST_APPROVALS });
  const inside = pending.filter((approval) => isInside(approval, place));
  return Promise.all(
    inside.map(async (approval) => {
      const status = await store.workspaces.status(approval.space);
      return { approval, isStopped: status?.state === "closed" };
    }),
  );
}

function isInside(approval: ApprovalRecord, { agent, workspace }: WorktreePlace): boolean {
  const space = parseSpace(approval.space);
  if (!space.ok) return false;
  if (space.value.kind === "dm") return workspace === null && space.value.agent === agent;
  const { workflow, tag } = space.value;
  const isSame = workflow === workspace?.workflow && splitTag(tag).tag === workspace.tag;
  return isSame && (agent === null || approval.agent === agent);
}
