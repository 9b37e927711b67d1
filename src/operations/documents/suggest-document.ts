import * as contract from "../../contract/documents.ts";
import { UNDECIDED_OWNER } from "../../domain/workspace/owner-election.ts";
import { ok } from "../../kernel/result.ts";
import type { SuggestionRecord } from "../../ports/store/suggestion.ts";
import { callerName, participants } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { redactOptional } from "../core/redact-texts.ts";
import { documentsToRead, openDocuments } from "./document-access.ts";
import { notifyParticipant } from "./suggestion.ts";
import { toSuggestionView } from "./view.ts";

/** Suggests a change to the owner of the documents. Nothing changes until it is accepted. */
export const suggestDocument = proposal(contract.suggestDocument, {
  access: participants,

  async prepare(data, ctx) {
    const place = await documentsToRead(ctx, { target: data.target });
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
    const note = redactOptional(data.note, ctx.services.redact);
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
    await notifyParticipant(ctx, space, owner, `${author} suggests a change of ${file} (${suggestion.id})${why}`);
    return ok(toSuggestionView(suggestion));
  },
});
