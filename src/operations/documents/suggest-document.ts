import { z } from "zod";
import { suggestionView } from "../../contract/document.ts";
import { UNDECIDED_OWNER } from "../../domain/workspace/owner-election.ts";
import { ok } from "../../kernel/result.ts";
import type { SuggestionRecord } from "../../ports/store/suggestion.ts";
import { callerName, participants } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { documentsToRead, openDocuments } from "./document-space.ts";
import { documentContent, documentFile, documentTarget } from "./document-write.ts";
import { tell, toSuggestionView } from "./suggestion.ts";

/** Puts a change forward to whoever owns the documents. Nothing changes until it is accepted. */
export const suggestDocument = proposal({
  name: "suggest-document",
  summary: "Suggest a change of a document to its owner, who accepts or rejects it: the notes, unless a file is named.",
  input: z.object({
    target: documentTarget,
    file: documentFile.optional(),
    content: documentContent.min(1, "there is nothing to suggest").describe("The text as it should be."),
    way: z.enum(["replace", "append"]).default("replace").describe("Replace the whole text, or add to its end."),
    note: z.string().max(2000).optional().describe("Why."),
  }),
  output: suggestionView,
  access: participants,

  async prepare(data, ctx) {
    const place = await documentsToRead(ctx, data.target);
    if (!place.ok) return place;
    const file = data.file ?? place.value.workspace.documentFile;
    const current = await place.value.documents.read(file);
    if (!current.ok && current.error.code !== "not_found") return current;
    return ok({ file, base: current.ok ? current.value.revision : null });
  },

  async execute(data, ctx, { file, base }) {
    const workspace = await openDocuments(ctx.store, data.target, ctx.caller);
    if (!workspace.ok) return workspace;
    const { key: space, documentOwner } = workspace.value;
    const author = callerName(ctx.caller);
    const note = data.note === undefined || data.note.trim() === "" ? null : ctx.services.redact(data.note.trim());
    const suggestion: SuggestionRecord = {
      id: ctx.newId("sug"),
      space,
      file,
      way: data.way,
      content: ctx.services.redact(data.content.toWellFormed()),
      note,
      base,
      author,
      state: "open",
      decidedBy: null,
      reason: null,
      createdAt: ctx.now,
      decidedAt: null,
    };
    await ctx.store.suggestions.add(suggestion);
    await ctx.emit({ type: "suggestion.made", space, suggestion: suggestion.id, file, by: author });
    const owner = documentOwner === UNDECIDED_OWNER ? null : documentOwner;
    const why = note === null ? "" : `: ${note}`;
    await tell(ctx, space, owner, `${author} suggests a change of ${file} (${suggestion.id})${why}`);
    return ok(toSuggestionView(suggestion));
  },
});
