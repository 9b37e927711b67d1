import type { RecordedEvent } from "../../domain/event.ts";

export interface EventReads {
  /** Events after this sequence number, oldest first. */
  after(seq: number, limit: number): Promise<RecordedEvent[]>;
  /** Sequence number of the newest event, 0 when there is none. */
  last(): Promise<number>;
}
