import { z } from "zod";
import { suggestionView } from "../../contract/document.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { query } from "../core/define.ts";
import { documentsToRead } from "./document-space.ts";
import { documentFile, documentTarget } from "./document-write.ts";
import { toSuggestionView } from "./suggestion.ts";

export const listSuggestions = query({
  name: "list-suggestions",
  summary: "List the changes of documents that are suggested and not decided yet, oldest first.",
  input: z.object({
    target: documentTarget,
    file: documentFile.optional().describe("Only those of this document."),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: z.object({ suggestions: z.array(suggestionView) }),
  access: participants,

  async answer({ target, file, limit }, ctx) {
    const place = await documentsToRead(ctx, target);
    if (!place.ok) return place;
    const space = place.value.workspace.key;
    const open = await ctx.read((store) => store.suggestions.open({ space, limit }));
    const chosen = file === undefined ? open : open.filter((each) => each.file === file);
    return ok({ suggestions: chosen.map(toSuggestionView) });
  },
});
