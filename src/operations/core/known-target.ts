import { formatSpace } from "../../domain/message/space.ts";
import { targetSpace, type Target } from "../../domain/message/target.ts";
import { checkParticipant } from "../../domain/workspace/participation.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { findAgent } from "../agents/find-agent.ts";
import { findWorkflow } from "../workspaces/find-workflow.ts";
import type { Read } from "./define.ts";

/**
 * Refuses a target that never was. Call it when nothing was found for the target: an empty list must not be the answer to
 * a name that was misspelt, nor to one whose file has a mistake. Known is what has a file that can be used, and what
 * something was said with.
 */
export async function checkKnown(
  ctx: Read,
  target: Target,
  /** The name alone also means an agent that exists only in workspaces. */
  { inWorkspaces = false }: { readonly inWorkspaces?: boolean } = {},
): Promise<Result<unknown, Refusal>> {
  const space = formatSpace(targetSpace(target));
  if (target.kind === "dm") {
    const found = await findAgent(ctx.services.definitions, target.agent);
    if (found.ok) return ok(undefined);
    const isKnown = await ctx.read(async (store) => {
      if (inWorkspaces && (await store.workspaces.workspacesOf(target.agent)).length > 0) return true;
      return (await store.messages.page({ space, limit: 1 })).length > 0;
    });
    return isKnown ? ok(undefined) : found;
  }
  const { workspace, roster } = await ctx.read(async (store) => ({
    workspace: await store.workspaces.byKey(space),
    roster: (await store.workspaces.roster(space)).map(({ agent }) => agent),
  }));
  await ctx.services.definitions.refresh();
  const workflow = findWorkflow(ctx.services.definitions, target.workflow);
  if (workspace === undefined && !workflow.ok) return workflow;
  if (target.kind === "channel") return ok(undefined);
  const participants = [...roster, ...(workflow.ok ? Object.keys(workflow.value.agents) : [])];
  return checkParticipant({ ...target, running: true, participants }, target.agent);
}
