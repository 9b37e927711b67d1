import type { EventCursor, RecordedEvent } from "../../domain/event.ts";

export interface EventPage {
  /** Oldest first among durable events, and among ephemeral ones. */
  readonly events: readonly RecordedEvent[];
  /** Where the next page starts. */
  readonly cursor: EventCursor;
}

export interface EventReads {
  /** Returns events after the cursor, up to and including `until`. A page with fewer events than `limit` is the last. */
  after(cursor: EventCursor, limit: number, until?: EventCursor): Promise<EventPage>;
  /** Returns the cursor of the newest events; zeros when there are none. */
  last(): Promise<EventCursor>;
}
