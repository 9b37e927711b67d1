import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { UNDECIDED_OWNER } from "./owner-election.ts";

/**
 * Which agent may write the documents of a workspace. With an owner it is the owner alone, so that a text several
 * agents care about has one author; without one everybody writes. An agent that works alone needs no such rule.
 * Persons are not asked: the documents are theirs.
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
