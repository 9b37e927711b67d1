import { findMentions, resolveMentions } from "../message/mentions.ts";
import { SYSTEM } from "../message/message.ts";

const PLACEHOLDER = /\$\{\{[^]*?\}\}/g;

/**
 * Reads whom the text of a kickoff mentions, as its file has it: what is filled in for a placeholder mentions no one.
 * `unknown` are names that do not take part. `wakesNobody`: it mentions no participant.
 */
export function kickoffMentions(
  kickoff: string,
  participants: readonly string[],
): { readonly unknown: readonly string[]; readonly wakesNobody: boolean } {
  const inert = [...kickoff.matchAll(PLACEHOLDER)].map(({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
  }));
  const { mentioned, unknown } = resolveMentions(findMentions(kickoff, { inert }), {
    sender: SYSTEM,
    isParticipant: (name) => participants.includes(name),
    participants: () => participants,
  });
  return { unknown, wakesNobody: mentioned.length === 0 };
}
