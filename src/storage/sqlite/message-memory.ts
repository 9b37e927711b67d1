import type { MessageReads, MessageRecord, MessageWrites } from "../../ports/store/message.ts";

/**
 * Remembers the last messages that were looked up by their id: a turn asks for the message it answers, for those that
 * led to it, and for its prompt once more. A committed message never changes, so what is remembered is never wrong; what
 * the writer reads of its own group of transactions, which may still be undone, is not remembered.
 */
export interface MessageMemory {
  get(id: string): MessageRecord | undefined;
  keep(message: MessageRecord): void;
}

const REMEMBERED = 500;
const LONGEST_BODY = 16_384;

export function createMessageMemory(): MessageMemory {
  const messages = new Map<string, MessageRecord>();
  return {
    get: (id) => messages.get(id),
    keep(message) {
      if (message.body.length > LONGEST_BODY) return;
      if (messages.size >= REMEMBERED) messages.delete(messages.keys().next().value ?? "");
      messages.set(message.id, message);
    },
  };
}

export function rememberMessages<Reads extends MessageReads>(
  reads: Reads,
  memory: MessageMemory,
  isCommitted: (message: MessageRecord) => boolean = () => true,
): Reads {
  return {
    ...reads,
    async byId(id: string) {
      const known = memory.get(id);
      if (known !== undefined) return known;
      const message = await reads.byId(id);
      if (message !== undefined && isCommitted(message)) memory.keep(message);
      return message;
    },
  };
}

/** The same for the writer, whose last messages are not committed yet. */
export function rememberCommitted(
  messages: MessageReads & MessageWrites,
  memory: MessageMemory,
  onGroupEnd: (tidyUp: () => void) => void,
): MessageReads & MessageWrites {
  let firstOfGroup = Infinity;
  onGroupEnd(() => (firstOfGroup = Infinity));
  return {
    ...rememberMessages(messages, memory, ({ seq }) => seq < firstOfGroup),
    async append(message, idempotencyKey) {
      const seq = await messages.append(message, idempotencyKey);
      firstOfGroup = Math.min(firstOfGroup, seq);
      return seq;
    },
  };
}
