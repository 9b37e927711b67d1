import type { WrittenDocumentView } from "../../contract/documents.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { PublishTerms, StagedDocument } from "../../ports/documents.ts";
import { callerName } from "../core/access.ts";
import type { Execute } from "../core/define.ts";
import { checkWritable, type DocumentSpace } from "./document-space.ts";
import { refuseWriting } from "../memory/public-memories.ts";

/**
 * The one way a document changes. The new content is brought to the disk first, where nobody sees it; in the
 * transaction it gets its name, as the last thing that can be refused, so that a document never changes without its
 * event unless the disk fails in that moment.
 */
export interface PreparedDocument {
  readonly file: string;
  readonly staged: StagedDocument;
  readonly terms: PublishTerms;
}

export async function stageWrite(
  { documents }: DocumentSpace,
  file: string,
  content: string,
  terms: PublishTerms,
): Promise<Result<PreparedDocument, Refusal>> {
  const refused = refuseWriting(file);
  if (refused !== undefined) return refused;
  const staged = await documents.stage(file, content.toWellFormed());
  return staged.ok ? ok({ file, staged: staged.value, terms }) : staged;
}

export async function publishWrite(
  ctx: Execute,
  target: string | undefined,
  { file, staged, terms }: PreparedDocument,
): Promise<Result<WrittenDocumentView, Refusal>> {
  const workspace = await checkWritable(ctx.store, target, ctx.caller);
  if (!workspace.ok) return workspace;
  const space = workspace.value.key;
  const { revision } = staged;
  await ctx.emit({ type: "document.written", space, file, revision, by: callerName(ctx.caller) });
  const published = staged.publish(terms);
  return published.ok ? ok({ space, file, revision }) : published;
}

export function discardWrite({ staged }: PreparedDocument): void {
  staged.discard();
}
