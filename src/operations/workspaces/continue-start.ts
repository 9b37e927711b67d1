import { setDocumentOwner } from "../../contract/documents.ts";
import { UNDECIDED_OWNER } from "../../domain/workspace/owner-election.ts";
import type { Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";
import { postKickoffText } from "./kickoff-text.ts";

/**
 * Called when a ballot is over. If it was the election that the start of a workflow waits for, the kickoff is posted, in
 * the same transaction. An election that was cancelled, or whose result could not be used, gives the documents to the
 * first participant.
 */
export async function continueStart(ctx: Execute, space: string): Promise<void> {
  const workspace = await ctx.store.workspaces.byKey(space);
  if (workspace?.state !== "open") return;
  if (workspace.documentOwner === UNDECIDED_OWNER) {
    if (await isElecting(ctx, space)) return;
    const [first] = await ctx.store.workspaces.roster(space);
    const owner = first?.agent ?? null;
    await ctx.store.workspaces.setDocumentOwner(space, owner);
    await ctx.emit({ type: "document.owner", space, owner });
  }
  const start = await ctx.store.instances.bySpace(space);
  if (start?.phase !== "election") return;
  await ctx.store.instances.save({ space, phase: "started", untilIdle: start.untilIdle });
  if (start.kickoff === undefined) return;
  const posted = await postKickoffText(ctx, space, start.kickoff);
  if (!posted.ok) await postNotice(ctx, spaceTarget(space), `The kickoff could not be posted. ${posted.error.message}`);
}

async function isElecting(ctx: Execute, space: string): Promise<boolean> {
  const open = await ctx.store.ballots.list({ space, state: "open", limit: 100 });
  return open.some(
    ({ binding, terms }) => binding && terms.options.some(({ then }) => then?.propose === setDocumentOwner.name),
  );
}
