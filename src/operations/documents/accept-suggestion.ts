import { z } from "zod";
import { suggestionView } from "../../contract/document.ts";
import { ok } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { participants } from "../core/access.ts";
import { spaceKey } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { documentsToWrite } from "./document-space.ts";
import { discardWrite, publishWrite, stageWrite } from "./document-write.ts";
import { findSuggestion, recordPermissionDecision, suggestionChoice } from "./suggestion.ts";

/**
 * Writes what was suggested, as whoever may write the document. A text that was to replace one that changed since is
 * stale: it would undo what somebody wrote in between.
 */
export const acceptSuggestion = proposal({
  name: "accept-suggestion",
  summary: "Accept a suggested change of a document: it is written, and its author is told.",
  input: z.object(suggestionChoice),
  output: suggestionView,
  access: participants,

  async prepare({ id, target }, ctx) {
    const space = spaceKey(target, ctx.caller);
    const suggestion = await ctx.read((store: StoreReads) => findSuggestion(store, id, space));
    if (!suggestion.ok) return suggestion;
    const { file, way, content, base } = suggestion.value;
    // A person decides by the id alone; agents are bound to the space they run in.
    const place = await documentsToWrite(ctx, ctx.caller.kind === "agent" ? undefined : suggestion.value.space);
    if (!place.ok) return place;
    if (way === "replace") return stageWrite(place.value, file, content, { expectRevision: base });
    const current = await place.value.documents.read(file);
    if (!current.ok && current.error.code !== "not_found") return current;
    const before = current.ok ? current.value.content : "";
    const gap = before === "" || before.endsWith("\n") ? "" : "\n";
    const expectRevision = current.ok ? current.value.revision : null;
    return stageWrite(place.value, file, before + gap + content, { expectRevision });
  },
  abandon: discardWrite,

  async execute({ id, target }, ctx, prepared) {
    const suggestion = await findSuggestion(ctx.store, id, spaceKey(target, ctx.caller));
    if (!suggestion.ok) return suggestion;
    const verdict = await recordPermissionDecision(ctx, suggestion.value, "accepted", null);
    const written = await publishWrite(ctx, suggestion.value.space, prepared);
    return written.ok ? ok(verdict) : written;
  },
});
