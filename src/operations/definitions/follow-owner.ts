import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { ownerAtOpening, UNDECIDED_OWNER } from "../../domain/workspace/owner-election.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import type { Execute } from "../core/define.ts";
import { openOwnerElection } from "../workspaces/open-owner-election.ts";

/**
 * Takes over who owns the documents when the workflow's file says something else than before, or when the owner does not
 * take part any more. Otherwise the owner stays: a person or a ballot may have decided it.
 */
export async function followOwner(
  ctx: Execute,
  { key, documentOwner, ownerSetting }: WorkspaceRecord,
  { workspace: settings }: WorkflowDefinition,
): Promise<Result<unknown, Refusal>> {
  // A workflow that is being started decides it itself, before its kickoff.
  if ((await ctx.store.instances.bySpace(key))?.phase !== "started") return ok(undefined);
  const setting = settings.documentOwner ?? null;
  const names = (await ctx.store.workspaces.roster(key)).map(({ agent }) => agent);
  const isGone = documentOwner !== null && documentOwner !== UNDECIDED_OWNER && !names.includes(documentOwner);
  if (setting === ownerSetting && !isGone) return ok(undefined);
  const owner = ownerAtOpening(settings, names, documentOwner);
  await ctx.store.workspaces.setOwnerSetting(key, setting);
  if (owner === documentOwner) return ok(undefined);
  await ctx.store.workspaces.setDocumentOwner(key, owner);
  await ctx.emit({ type: "document.owner", space: key, owner });
  return openOwnerElection(ctx, key);
}
