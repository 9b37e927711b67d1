import type { MessageView } from "../../../src/contract/messages.ts";

/** Merges pages of messages: in order of acceptance, each once. */
export function mergeMessages(current: readonly MessageView[], page: readonly MessageView[]): readonly MessageView[] {
  if (page.length === 0) return current;
  const bySeq = new Map([...current, ...page].map((message) => [message.seq, message]));
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}

export interface MessageGroup {
  /** Set for the first message of a day. */
  readonly day: string | undefined;
  readonly message: MessageView;
  /** The previous message is from the same sender, a few minutes before: the name is not shown again. */
  readonly continued: boolean;
}

const GROUP_MS = 5 * 60_000;

export function groupMessages(
  messages: readonly MessageView[],
  dayOf: (at: string) => string,
): readonly MessageGroup[] {
  return messages.map((message, at) => {
    const before = messages[at - 1];
    const newDay = before === undefined || dayOf(before.at) !== dayOf(message.at);
    const continued =
      !newDay &&
      before.from === message.from &&
      before.to === message.to &&
      before.kind === message.kind &&
      Date.parse(message.at) - Date.parse(before.at) < GROUP_MS;
    return { day: newDay ? dayOf(message.at) : undefined, message, continued };
  });
}

export interface RelatedMessage {
  readonly message: MessageView;
  /** How many causes are between it and the first one. */
  readonly depth: number;
}

/** Returns the messages that belong together by their causes with the one of this sequence number, oldest first. */
export function relatedMessages(messages: readonly MessageView[], seq: number): readonly RelatedMessage[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const causeOf = (message: MessageView): MessageView | undefined => byId.get(message.cause ?? "");
  let root = messages.find((message) => message.seq === seq);
  for (let cause = root && causeOf(root); cause !== undefined; cause = causeOf(cause)) root = cause;
  if (root === undefined) return [];
  const depths = new Map([[root.id, 0]]);
  const related: RelatedMessage[] = [];
  for (const message of messages.toSorted((a, b) => a.seq - b.seq)) {
    const above = depths.get(message.cause ?? "");
    const depth = message === root ? 0 : above === undefined ? undefined : above + 1;
    if (depth === undefined) continue;
    depths.set(message.id, depth);
    related.push({ message, depth });
  }
  return related;
}
