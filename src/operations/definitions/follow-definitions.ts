import { z } from "zod";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { ok } from "../../kernel/result.ts";
import type { ParticipantRecord, WorkspaceRecord } from "../../ports/store/workspace.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { hurryChangedRuns } from "../runs/hurry-changed-runs.ts";
import { syncSchedules } from "../schedules/sync-schedules.ts";
import { followOwner } from "./follow-owner.ts";
import { workflowMembers } from "../workspaces/workflow-members.ts";

/**
 * Stores what follows from the definition files as they were last read: who takes part in open workspaces, and which
 * schedules there are. Loops look at their work again when they see the event, except those that a person stopped.
 * Calling it again changes nothing.
 */
export const followDefinitions = proposal(
  {
    name: "follow-definitions",
    summary: "Take over what changed in the definition files.",
    input: z.object({}),
    output: z.object({ changed: z.array(z.string()) }),
  },
  {
    access: systemOnly,

    async execute(_data, ctx) {
      const changed: string[] = [];
      for (const workspace of await ctx.store.workspaces.list({ state: "open" })) {
        const definition = ctx.services.definitions.workflow(workspace.workflow, workspace.file);
        // While the file of the workflow is missing or broken, its members stay: none of them begins a run.
        if (definition === undefined) continue;
        if (await followMembers(ctx, workspace, definition)) changed.push(workspace.key);
        const followed = await followOwner(ctx, workspace, definition);
        if (!followed.ok) return followed;
      }
      const schedules = await ctx.propose(syncSchedules, {});
      if (!schedules.ok) return schedules;
      await hurryChangedRuns(ctx);
      await ctx.emit({ type: "definitions.changed" });
      return ok({ changed });
    },
  },
);

async function followMembers(
  ctx: Execute,
  workspace: WorkspaceRecord,
  definition: WorkflowDefinition,
): Promise<boolean> {
  const { key } = workspace;
  const before = await ctx.store.workspaces.participants(key);
  const members = workflowMembers(definition, key, before);
  if (JSON.stringify(members) === JSON.stringify(before)) return false;
  await ctx.store.workspaces.setParticipants(key, members);
  await followSubSpaces(ctx, workspace, members);
  await ctx.emit({ type: "workspace.members", space: key });
  return true;
}

/** Who left the workspace has left its sub-spaces, too. */
async function followSubSpaces(
  ctx: Execute,
  workspace: WorkspaceRecord,
  members: readonly ParticipantRecord[],
): Promise<void> {
  const names = new Set(members.map(({ agent }) => agent));
  for (const { key, state } of await ctx.store.workspaces.within(workspace)) {
    if (state !== "open") continue;
    const before = await ctx.store.workspaces.participants(key);
    const after = before.filter(({ agent }) => names.has(agent));
    if (after.length < before.length) await ctx.store.workspaces.setParticipants(key, after);
  }
}
