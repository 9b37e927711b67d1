/**
 * Returns a text of the system without what is meant for a terminal or for the tools of an agent, ids included: on the
 * page the person has buttons and links for it.
 */
export function noticeText(text: string): string {
  return text
    .replace(/ ?(?:Vote with )?proposal_vote \{[^}\n]*\}\.?/g, "")
    .replace(/(^|[.:!?]\s+|\n)[A-Z][^.:\n]*: agent-worker [^\n]*/g, (_, before: string) => before.replace(/\s+$/, "\n"))
    .replace(/ \([a-z]{2,5}_[0-9a-z]{20,}\)/g, "")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

/** Returns the sentences that name no command of a terminal. */
export function withoutCommands(text: string): string {
  const sentences = text.split(/(?<=[.!?])\s+/);
  return sentences.filter((sentence) => !/\bagent-worker [a-z]/.test(sentence)).join(" ");
}

/** A limit ended a chain of messages. A new message of a person begins a new one. */
export function isChainStop(text: string): boolean {
  return /Go on with: agent-worker send /.test(text);
}

/** Returns the id of the approval that a notice asks for. */
export function announcedApproval(text: string): string | undefined {
  return /agent-worker approve (apr_\w+)/.exec(text)?.[1];
}
