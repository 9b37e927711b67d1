import type { DocumentInfoView } from "../../contract/documents.ts";
import type { DocumentInfo } from "../../ports/documents.ts";

export function toDocumentInfoView({ file, bytes, modifiedMs }: DocumentInfo): DocumentInfoView {
  return { file, bytes, modifiedAt: new Date(modifiedMs).toISOString() };
}
