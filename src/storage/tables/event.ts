import { NO_EVENTS, type DomainEvent, type EventCursor, type RecordedEvent } from "../../domain/event.ts";
import type { EventReads } from "../../ports/store/event.ts";
import type { Connection, WriteConnection } from "../connection.ts";

/** `schema` is also the part of a cursor that counts the events of this table. */
export function eventReads(db: Connection, schema: keyof EventCursor): EventReads {
  const selectAfter = db.all("SELECT seq, type, data, at FROM event WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT +?");
  const selectLast = db.get("SELECT coalesce(max(seq), 0) AS seq FROM event");
  return {
    async after(cursor, limit, until) {
      const events = (await selectAfter(cursor[schema], until?.[schema] ?? Number.MAX_SAFE_INTEGER, limit)).map(
        (row) =>
          ({
            type: row["type"],
            ...(JSON.parse(row["data"] as string) as object),
            seq: row["seq"],
            at: row["at"],
            ...(schema === "ephemeral" ? { isEphemeral: true } : {}),
          }) as RecordedEvent,
      );
      return { events, cursor: { ...cursor, [schema]: events.at(-1)?.seq ?? cursor[schema] } };
    },

    async last() {
      return { ...NO_EVENTS, [schema]: (await selectLast())?.["seq"] as number };
    },
  };
}

export function eventAppender(
  db: WriteConnection,
  schema: keyof EventCursor,
): (event: DomainEvent, at: number) => Promise<RecordedEvent> {
  const insertEvent = db.append("INSERT INTO event (type, data, at) VALUES (?, ?, ?)");
  return async (event, at) => {
    const { type, ...data } = event;
    const text = JSON.stringify(data);
    const recorded = Object.assign(data, { type, seq: 0, at }, schema === "ephemeral" ? { isEphemeral: true } : {});
    // Its number is needed when it is published, which is after the commit.
    await insertEvent((seq) => void (recorded.seq = seq), type, text, at);
    return recorded as RecordedEvent;
  };
}
