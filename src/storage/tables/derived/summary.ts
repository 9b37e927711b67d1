import type { SummaryReads, SummaryRecord, SummaryWrites } from "../../../ports/store/derived/summary.ts";
import type { Connection, WriteConnection } from "../../connection.ts";

export function summaryReads(db: Connection): SummaryReads {
  const selectTop = db.get("SELECT max(level) AS level FROM summary WHERE space = ?");
  const selectLevel = db.all(
    "SELECT * FROM summary WHERE space = ? AND level = ? AND from_message > ? ORDER BY from_message LIMIT +?",
  );
  const selectEnd = db.get(
    "SELECT to_message FROM summary WHERE space = ? AND level = ? ORDER BY from_message DESC LIMIT 1",
  );
  const selectLast = db.get("SELECT * FROM summary WHERE space = ? AND level = ? ORDER BY from_message DESC LIMIT 1");
  const selectFailed = db.all(
    `SELECT * FROM summary WHERE space = ? AND failure IS NOT NULL AND attempts < ? ORDER BY level, from_message LIMIT 20`,
  );
  return {
    async cover(space) {
      const top = ((await selectTop(space))?.["level"] ?? null) as number | null;
      const found: SummaryRecord[] = [];
      let covered = -1;
      for (let level = top ?? -1; level >= 0; level -= 1) {
        const ofLevel = (await selectLevel(space, level, covered, MOST_OF_LEVEL)).map(toSummary);
        found.push(...ofLevel);
        const end =
          ofLevel.length < MOST_OF_LEVEL ? ofLevel.at(-1)?.to : (await selectEnd(space, level))?.["to_message"];
        covered = Math.max(covered, (end ?? covered) as number);
      }
      return found;
    },

    async last(space, level) {
      const row = await selectLast(space, level);
      return row === undefined ? undefined : toSummary(row);
    },

    async ofLevel({ space, level, after, limit }) {
      return (await selectLevel(space, level, after, limit)).map(toSummary);
    },

    async failed(space, attempts) {
      return (await selectFailed(space, attempts)).map(toSummary);
    },
  };
}

/** More than a level ever has that no higher one covers. */
const MOST_OF_LEVEL = 200;

export function summaryWrites(db: WriteConnection): SummaryWrites {
  const upsert = db.write(
    `INSERT INTO summary (space, level, from_message, to_message, messages, text, model, failure, attempts, senders,
       fingerprint, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (space, level, from_message) DO UPDATE SET to_message = excluded.to_message,
       messages = excluded.messages, text = excluded.text, model = excluded.model, failure = excluded.failure,
       attempts = excluded.attempts, senders = excluded.senders, fingerprint = excluded.fingerprint,
       created_at = excluded.created_at`,
  );
  const remove = db.write("DELETE FROM summary WHERE space = ? AND to_message >= ?");
  return {
    async put(summary) {
      await upsert(
        summary.space,
        summary.level,
        summary.from,
        summary.to,
        summary.messages,
        summary.text,
        summary.model,
        summary.failure,
        summary.attempts,
        JSON.stringify(summary.senders),
        summary.fingerprint,
        summary.createdAt,
      );
    },

    async removeFrom(space, from) {
      await remove(space, from);
    },
  };
}

function toSummary(row: Readonly<Record<string, unknown>>): SummaryRecord {
  return {
    space: row["space"] as string,
    level: row["level"] as number,
    from: row["from_message"] as number,
    to: row["to_message"] as number,
    messages: row["messages"] as number,
    text: row["text"] as string,
    model: row["model"] as string | null,
    failure: row["failure"] as string | null,
    attempts: row["attempts"] as number,
    senders: JSON.parse(row["senders"] as string) as string[],
    fingerprint: row["fingerprint"] as string,
    createdAt: row["created_at"] as number,
  };
}
