import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { UNDECIDED_OWNER } from "./owner-election.ts";

/**
 * Checks whether an agent may write the documents of a workspace: the owner only, or every agent if there is no owner or
 * only one participant. Not called for persons, who may always write.
 */
export function checkDocumentWriter(
  workspace: { readonly owner: string | null; readonly participants: number },
  writer: string,
): Result<void, Refusal> {
  const { owner, participants } = workspace;
  if (owner === null || owner === writer || participants <= 1) return ok(undefined);
  if (owner === UNDECIDED_OWNER) {
    return refuse("forbidden", "Nobody writes the documents before their owner is elected.", {
      hint: "Vote in the open ballot, and try again when it is decided.",
    });
  }
  return refuse("forbidden", `Only ${owner} writes the documents here.`, {
    hint: "Suggest your change instead, with team_doc_suggest.",
    details: { owner },
  });
}
