import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import type { ParticipantRecord, WorkspaceRecord } from "../../ports/store/workspace.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { hurryChangedRuns } from "../runs/hurry-changed-runs.ts";
import { syncSchedules } from "../schedules/sync-schedules.ts";
import { workflowMembers } from "./workflow-members.ts";

/**
 * Stores what follows from the definition files as they were last read: who takes part in open workspaces, and which
 * schedules there are. Work of agents that were mended, changed or removed is looked at again. Calling it again changes
 * nothing.
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
        if (await followMembers(ctx, workspace)) changed.push(workspace.key);
      }
      const schedules = await ctx.propose(syncSchedules, {});
      if (!schedules.ok) return schedules;
      await hurryChangedRuns(ctx);
      for (const mailbox of await ctx.store.deliveries.mailboxesWithPending()) ctx.wake(mailbox);
      await ctx.emit({ type: "definitions.changed" });
      return ok({ changed });
    },
  },
);

/** While the file of the workflow is missing or broken, its members stay: none of them begins a run. */
async function followMembers(ctx: Execute, workspace: WorkspaceRecord): Promise<boolean> {
  const { key, workflow, file } = workspace;
  const definition = ctx.services.definitions.workflow(workflow, file);
  if (definition === undefined) return false;
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
