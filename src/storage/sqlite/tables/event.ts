import type { DomainEvent, RecordedEvent } from "../../../domain/event.ts";
import type { EventReads } from "../../../ports/store/event.ts";
import type { Connection, WriteConnection } from "../driver.ts";

export function eventReads(db: Connection): EventReads {
  const selectAfter = db.all("SELECT seq, type, data, at FROM event WHERE seq > ? ORDER BY seq LIMIT +?");
  const selectLast = db.get("SELECT max(seq) AS seq FROM event");
  return {
    async after(seq, limit) {
      return selectAfter(seq, limit).map(
        (row) =>
          ({
            type: row["type"],
            ...(JSON.parse(row["data"] as string) as object),
            seq: row["seq"],
            at: row["at"],
          }) as RecordedEvent,
      );
    },

    async last() {
      return (selectLast()?.["seq"] ?? 0) as number;
    },
  };
}

export function eventAppender(db: WriteConnection): (event: DomainEvent, at: number) => Promise<RecordedEvent> {
  const insertEvent = db.insert("INSERT INTO event (type, data, at) VALUES (?, ?, ?)");
  return async (event, at) => {
    const { type, ...data } = event;
    return Object.assign(data, { type, seq: insertEvent(type, JSON.stringify(data), at), at }) as RecordedEvent;
  };
}
