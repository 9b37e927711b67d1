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
  /** When a person cleared the conversation of the agent for the last time; 0 = never. */
  clearedAt(agent: string): Promise<number>;
}

export interface ConversationWrites {
  /** Never goes back: an earlier message changes nothing. */
  setRecorded(agent: string, recorded: RecordedConversation): Promise<void>;
  /**
   * The conversation of the agent begins now: pages of its direct messages, and the transcript that its next run
   * continues from, hold nothing from before. For an agent that has the name of an earlier one.
   */
  begin(agent: string): Promise<void>;
  setCleared(agent: string, at: number): Promise<void>;
  /**
   * Says where the direct messages of the agent are stored from now on. What is in the other place is not seen any more.
   * In memory they are gone when the store closes.
   */
  place(agent: string, where: "memory" | "disk"): Promise<void>;
  /**
   * Moves the direct messages of an agent in memory, with their deliveries and runs, to disk, to an agent of this name,
   * whose conversation begins with them. Does nothing for an agent whose messages are on disk.
   */
  promote(agent: string, name: string): Promise<void>;
}
