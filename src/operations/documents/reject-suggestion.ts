import * as contract from "../../contract/documents.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { spaceKey } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { checkWritable } from "./document-space.ts";
import { findSuggestion, recordPermissionDecision } from "./suggestion.ts";

export const rejectSuggestion = proposal(contract.rejectSuggestion, {
  access: participants,
  space: (data, caller) => spaceKey(data.target, caller),

  async execute({ id, target, reason }, ctx) {
    const suggestion = await findSuggestion(ctx.store, id, spaceKey(target, ctx.caller));
    if (!suggestion.ok) return suggestion;
    const writable = await checkWritable(ctx.store, suggestion.value.space, ctx.caller);
    if (!writable.ok) return writable;
    const said = reason === undefined || reason.trim() === "" ? null : ctx.services.redact(reason.trim());
    return ok(await recordPermissionDecision(ctx, suggestion.value, "rejected", said));
  },
});
