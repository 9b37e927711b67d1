import { refuse, type Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";

const MOST_SHOWN = 3;

/** Refuses work of an agent or workflow that can do something a person has not seen. */
export function refuseUnseen(who: string, unseen: readonly string[]): Result<never, Refusal> {
  const shown = unseen.slice(0, MOST_SHOWN).join("; ");
  const more = unseen.length > MOST_SHOWN ? `; and ${unseen.length - MOST_SHOWN} more` : "";
  return refuse("untrusted", `${who} rests: it wants to do something you have not allowed yet: ${shown}${more}.`, {
    hint: "See it, and allow it: agent-worker trust. In a script, add --trust to the command.",
    details: { unseen },
  });
}
