import type { DocumentInfoView, SuggestionView } from "../../contract/documents.ts";
import type { DocumentInfo } from "../../ports/documents.ts";
import type { SuggestionRecord } from "../../ports/store/suggestion.ts";

export function toDocumentInfoView({ file, bytes, modifiedMs }: DocumentInfo): DocumentInfoView {
  return { file, bytes, modifiedAt: new Date(modifiedMs).toISOString() };
}

export function toSuggestionView(suggestion: SuggestionRecord): SuggestionView {
  const { id, space, file, way, content, note, author, state, decidedBy, reason, createdAt } = suggestion;
  const at = new Date(createdAt).toISOString();
  return { id, space, file, way, content, note, author, state, decidedBy, reason, at };
}
