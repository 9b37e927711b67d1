/** How far the direct messages of an agent have been written to its files. */
export interface RecordedConversation {
  /** Sequence number of the last message that is in the files, or never will be; 0 = none. */
  readonly seq: number;
  /** The end of the files at that time; see `Conversations.append`. */
  readonly mark: string | null;
}

export interface ConversationReads {
  recorded(agent: string): Promise<RecordedConversation>;
  /** Agents with direct messages that are not recorded. The cost grows with the number of agents, not of messages. */
  behind(): Promise<string[]>;
}

export interface ConversationWrites {
  /** Never goes back: an earlier message changes nothing. */
  setRecorded(agent: string, recorded: RecordedConversation): Promise<void>;
}
