import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { findMentions, resolveMentions } from "../message/mentions.ts";
import { SYSTEM } from "../message/message.ts";
import type { WorkflowDefinition } from "./definition.ts";
import { positionIn, splitTemplate } from "./placeholder.ts";

export interface KickoffMentions {
  /** The participants that the kickoff wakes, in the order in which it names them. */
  readonly wakes: readonly string[];
  /** What a person should know although the workflow can start: the kickoff mentions nobody. */
  readonly warning?: { readonly message: string; readonly hint: string };
}

/**
 * Returns whom the kickoff of a workflow wakes. Refused when it mentions somebody who does not take part: the message
 * would wait for an agent that never comes. Only the text of the file counts, because filled-in values mention no one.
 */
export function checkKickoffMentions({
  agents,
  kickoff,
}: Pick<WorkflowDefinition, "agents" | "kickoff">): Result<KickoffMentions, Refusal> {
  if (kickoff === undefined) return ok({ wakes: [] });
  const names = Object.keys(agents);
  const parts = splitTemplate(kickoff);
  if (!parts.ok) return parts;
  const found = findMentions(kickoff, { inert: parts.value.flatMap(({ placeholder }) => placeholder ?? []) });
  const { mentioned, unknown } = resolveMentions(found, {
    sender: SYSTEM,
    isParticipant: (name) => names.includes(name),
    participants: () => names,
  });
  const stranger = found.find(({ name }) => unknown.includes(name));
  if (stranger !== undefined) {
    const { name, start } = stranger;
    return refuse("invalid", `The kickoff mentions @${name}, who does not take part in this workflow.`, {
      hint: `${hintForUnknown(name, names, "participants")} If nobody is meant, write \\@${name}.`,
      details: { name, ...positionIn(kickoff, start) },
    });
  }
  if (mentioned.length > 0) return ok({ wakes: mentioned });
  const calls = names.map((name) => `@${name}`).join(", ");
  return ok({
    wakes: [],
    warning: {
      message: "The kickoff mentions nobody, so it wakes no agent.",
      hint: `Mention who shall begin: ${calls}, or @all.`,
    },
  });
}
