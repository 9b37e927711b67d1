import { z } from "zod";
import { suggestionView } from "../../contract/document.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { spaceKey } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { checkWritable } from "./document-space.ts";
import { findSuggestion, recordPermissionDecision, suggestionChoice } from "./suggestion.ts";

export const rejectSuggestion = proposal({
  name: "reject-suggestion",
  summary: "Reject a suggested change of a document: the document stays as it is, and the author is told why.",
  input: z.object({ ...suggestionChoice, reason: z.string().max(2000).optional().describe("Told to the author.") }),
  output: suggestionView,
  access: participants,

  async execute({ id, target, reason }, ctx) {
    const suggestion = await findSuggestion(ctx.store, id, spaceKey(target, ctx.caller));
    if (!suggestion.ok) return suggestion;
    const writable = await checkWritable(ctx.store, suggestion.value.space, ctx.caller);
    if (!writable.ok) return writable;
    const said = reason === undefined || reason.trim() === "" ? null : ctx.services.redact(reason.trim());
    return ok(await recordPermissionDecision(ctx, suggestion.value, "rejected", said));
  },
});
