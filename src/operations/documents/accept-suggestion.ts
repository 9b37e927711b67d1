import * as contract from "../../contract/documents.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { documentsToWrite } from "./document-access.ts";
import { discardWrite, publishWrite, stageAppend, stageWrite } from "./staged-write.ts";
import { findSuggestion, decideSuggestion } from "./suggestion.ts";

/**
 * Writes a suggested change; the caller must be allowed to write the document. A replacement of a document that changed
 * since is stale: it would undo that change.
 */
export const acceptSuggestion = proposal(contract.acceptSuggestion, {
  access: participants,

  async prepare(data, ctx) {
    const suggestion = await ctx.read((store) => findSuggestion(store, data, ctx.caller));
    if (!suggestion.ok) return suggestion;
    const { file, way, content, base } = suggestion.value;
    // A person decides by the id alone; agents are bound to the space they run in.
    const place = await documentsToWrite(ctx, ctx.caller.kind === "agent" ? undefined : suggestion.value.space);
    if (!place.ok) return place;
    if (way === "replace") return stageWrite(ctx, place.value, file, content, { expectRevision: base });
    return stageAppend(ctx, place.value, file, content);
  },
  abandon: discardWrite,

  async execute(data, ctx, prepared) {
    const suggestion = await findSuggestion(ctx.store, data, ctx.caller);
    if (!suggestion.ok) return suggestion;
    const decided = await decideSuggestion(ctx, suggestion.value, "accepted", null);
    const written = await publishWrite(ctx, suggestion.value.space, prepared);
    return written.ok ? ok(decided) : written;
  },
});
