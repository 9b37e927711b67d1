import * as contract from "../../contract/documents.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { query } from "../core/define.ts";
import { documentsToRead } from "./document-access.ts";
import { toSuggestionView } from "./view.ts";

export const listSuggestions = query(contract.listSuggestions, {
  access: participants,

  async execute({ target, file, limit }, ctx) {
    const place = await documentsToRead(ctx, { target });
    if (!place.ok) return place;
    const space = place.value.workspace.key;
    const open = await ctx.read((store) => store.suggestions.open({ space, limit }));
    const chosen = file === undefined ? open : open.filter((each) => each.file === file);
    return ok({ suggestions: chosen.map(toSuggestionView) });
  },
});
