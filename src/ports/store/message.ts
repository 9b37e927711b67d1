import type { MessageKind } from "../../domain/message/message.ts";

/** A message as it was accepted. It never changes. */
export interface MessageRecord {
  /** Order of acceptance in its space; times may jump. */
  readonly seq: number;
  readonly id: string;
  /** Text form of the space it was posted in. */
  readonly space: string;
  readonly sender: string;
  readonly kind: MessageKind;
  /** The agent a direct send names, or null for the channel. */
  readonly addressee: string | null;
  /** The text in the channel; when it was too large, a preview of `resource`. */
  readonly body: string;
  readonly resource: string | null;
  readonly mentions: readonly string[];
  readonly root: string;
  readonly cause: string | null;
  readonly depth: number;
  /** The run that posted it, or that a notice is about; or null. */
  readonly run: string | null;
  readonly createdAt: number;
  /** Whose words it is when the sender only posts them, as a rule posts the text of the person who made it; or null. */
  readonly onBehalfOf: string | null;
}

export interface MessagePage {
  readonly space: string;
  /** Only messages after (exclusive) or before (exclusive) this sequence number. */
  readonly after?: number;
  readonly before?: number;
  /** Only messages whose body contains this text, case-insensitively for ASCII. */
  readonly contains?: string;
  readonly limit: number;
}

/** A search in all spaces, newest first. */
export interface MessageSearch {
  /** Case-insensitively for ASCII. */
  readonly contains: string;
  /** Only messages before this sequence number, and only of spaces on disk: go on with it. */
  readonly before?: number;
  /** At most so many messages are looked at, so that the cost does not grow with the store. */
  readonly most: number;
  readonly limit: number;
}

export interface FoundMessages {
  /** Newest first. */
  readonly messages: readonly MessageRecord[];
  /** Pass it as `before` to go on; null when everything was looked at. */
  readonly next: number | null;
}

/** What is new in a space. Both numbers stop at `most`. */
export interface NewMessages {
  readonly messages: number;
  /** How many of them contain the text that mentions the reader. */
  readonly mentions: number;
}

export interface MessageReads {
  byId(id: string): Promise<MessageRecord | undefined>;
  /** The message the sender already posted under this key. */
  byIdempotencyKey(sender: string, key: string): Promise<MessageRecord | undefined>;
  /** The newest that match, oldest first; with `after`, the oldest that match, oldest first. */
  page(page: MessagePage): Promise<MessageRecord[]>;
  /** How many messages a space has. The cost grows with their number. */
  count(space: string): Promise<number>;
  search(search: MessageSearch): Promise<FoundMessages>;
  /** Counts what others than the reader said after this sequence number, in the first `most` messages. */
  countNew(of: {
    readonly space: string;
    readonly after: number;
    readonly reader: string;
    readonly most: number;
  }): Promise<NewMessages>;
}

export interface MessageWrites {
  /** Returns the sequence number. The sender must not have used the key before. */
  append(message: Omit<MessageRecord, "seq">, idempotencyKey: string | null): Promise<number>;
}
