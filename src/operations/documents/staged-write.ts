import type { WrittenDocumentView } from "../../contract/documents.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { PublishTerms, StagedDocument } from "../../ports/documents.ts";
import { callerName } from "../core/access.ts";
import type { Execute, Read } from "../core/define.ts";
import { checkWritable, type WorkspaceDocuments } from "./document-access.ts";
import { refuseWriting } from "./public-memories.ts";

/**
 * A write of a document in two phases. First the new content is staged on disk. Then the transaction publishes it, as
 * the last step that can be refused, so that a document never changes without its event, unless the disk fails at that
 * moment.
 */
export interface StagedWrite {
  readonly file: string;
  /** Only its revision when a call that is repeated published it before. */
  readonly staged: StagedDocument | { readonly revision: string };
  readonly terms?: PublishTerms;
}

export async function stageWrite(
  ctx: Pick<Read, "fileEffect">,
  { documents }: WorkspaceDocuments,
  file: string,
  content: string,
  terms: PublishTerms,
): Promise<Result<StagedWrite, Refusal>> {
  const refused = refuseWriting(file);
  if (refused !== undefined) return refused;
  const effect = ctx.fileEffect((revision: string): StagedWrite => ({ file, staged: { revision } }));
  const staged = await documents.stage(file, content.toWellFormed(), effect);
  return staged.ok ? ok({ file, staged: staged.value, terms }) : staged;
}

/** Stages the document with a text added at its end, on a new line. */
export async function stageAppend(
  ctx: Pick<Read, "fileEffect">,
  place: WorkspaceDocuments,
  file: string,
  text: string,
): Promise<Result<StagedWrite, Refusal>> {
  const current = await place.documents.read(file);
  if (!current.ok && current.error.code !== "not_found") return current;
  const { content, revision } = current.ok ? current.value : { content: "", revision: null };
  const gap = content === "" || content.endsWith("\n") ? "" : "\n";
  return stageWrite(ctx, place, file, content + gap + text, { expectRevision: revision });
}

export async function publishWrite(
  ctx: Execute,
  target: string | undefined,
  { file, staged, terms }: StagedWrite,
): Promise<Result<WrittenDocumentView, Refusal>> {
  const workspace = await checkWritable(ctx.store, target, ctx.caller);
  if (!workspace.ok) return workspace;
  const space = workspace.value.key;
  const { revision } = staged;
  await ctx.emit({ type: "document.written", space, file, revision, by: callerName(ctx.caller) });
  const published = "publish" in staged ? await staged.publish(terms) : ok(staged);
  return published.ok ? ok({ space, file, revision }) : published;
}

export function discardWrite({ staged }: StagedWrite): void {
  if ("discard" in staged) staged.discard();
}
