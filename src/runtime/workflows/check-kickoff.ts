import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { kickoffMentions } from "../../domain/workflow/kickoff-mentions.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

/** Refuses a kickoff that mentions somebody who does not take part: that is a misspelt name, and nobody would begin. */
export function checkKickoff({ name, kickoff, agents }: WorkflowDefinition): Result<undefined, Refusal> {
  const participants = Object.keys(agents);
  const { unknown } = kickoffMentions(kickoff ?? "", participants);
  if (unknown.length === 0) return ok(undefined);
  const written = unknown.map((each) => `@${each}`).join(", ");
  const names = participants.map((each) => `@${each}`).join(", ");
  return refuse("invalid", `The kickoff of "${name}" mentions ${written}, but nobody in it is called that.`, {
    hint: `Mention one of ${names}. A text that is no mention is written as \\${written.split(",")[0]} or in backticks.`,
    details: { unknown },
  });
}
