import * as contract from "../../contract/documents.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { redactOptional } from "../core/redact-texts.ts";
import { checkWritable } from "./document-access.ts";
import { findSuggestion, decideSuggestion } from "./suggestion.ts";

export const rejectSuggestion = proposal(contract.rejectSuggestion, {
  access: participants,

  async execute({ id, target, reason }, ctx) {
    const suggestion = await findSuggestion(ctx.store, { id, target }, ctx.caller);
    if (!suggestion.ok) return suggestion;
    const writable = await checkWritable(ctx.store, suggestion.value.space, ctx.caller);
    if (!writable.ok) return writable;
    const why = redactOptional(reason, ctx.services.redact);
    return ok(await decideSuggestion(ctx, suggestion.value, "rejected", why));
  },
});
