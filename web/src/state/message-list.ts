import type { MessageView } from "../../../src/contract/messages.ts";

/** Messages in the order they were accepted, each once, however often and in whatever pieces they were asked for. */
export function mergeMessages(known: readonly MessageView[], came: readonly MessageView[]): readonly MessageView[] {
  if (came.length === 0) return known;
  const bySeq = new Map([...known, ...came].map((message) => [message.seq, message]));
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}

export interface MessageGroup {
  /** The day a first message of that day begins. */
  readonly day: string | undefined;
  readonly message: MessageView;
  /** The same sender goes on within a few minutes: the name need not be said again. */
  readonly goesOn: boolean;
}

const TOGETHER_MS = 5 * 60_000;

export function groupMessages(
  messages: readonly MessageView[],
  dayOf: (at: string) => string,
): readonly MessageGroup[] {
  return messages.map((message, at) => {
    const before = messages[at - 1];
    const newDay = before === undefined || dayOf(before.at) !== dayOf(message.at);
    const goesOn =
      !newDay &&
      before.from === message.from &&
      before.to === message.to &&
      before.kind === message.kind &&
      Date.parse(message.at) - Date.parse(before.at) < TOGETHER_MS;
    return { day: newDay ? dayOf(message.at) : undefined, message, goesOn };
  });
}
