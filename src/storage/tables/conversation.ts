import type { ConversationReads, ConversationWrites } from "../../ports/store/conversation.ts";
import type { Connection, WriteConnection } from "../connection.ts";

/** Skips from one agent to the next in the index instead of reading every message. `@` sorts before all names. */
const DIRECT_SPACES = `
  WITH RECURSIVE direct (space) AS (
    SELECT min(space) FROM message WHERE space >= 'A'
    UNION ALL
    SELECT (SELECT min(m.space) FROM message m WHERE m.space > direct.space) FROM direct WHERE direct.space IS NOT NULL
  )`;

export function conversationReads(db: Connection): ConversationReads {
  const selectRecorded = db.get("SELECT recorded, mark FROM conversation WHERE agent = ?");
  const selectCleared = db.get("SELECT cleared_at FROM conversation WHERE agent = ?");
  const selectBehind = db.all(
    `${DIRECT_SPACES}
     SELECT direct.space FROM direct LEFT JOIN conversation c ON c.agent = direct.space
     WHERE direct.space IS NOT NULL
       AND (SELECT max(m.seq) FROM message m WHERE m.space = direct.space) > coalesce(c.recorded, 0)
     ORDER BY direct.space`,
  );
  return {
    async recorded(agent) {
      const row = await selectRecorded(agent);
      if (row === undefined) return { seq: 0, mark: null };
      return { seq: row["recorded"] as number, mark: row["mark"] as string | null };
    },

    async behind() {
      return (await selectBehind()).map((row) => row["space"] as string);
    },

    async clearedAt(agent) {
      return ((await selectCleared(agent))?.["cleared_at"] ?? 0) as number;
    },
  };
}

export function conversationWrites(db: WriteConnection): ConversationWrites {
  const advance = db.write(
    `INSERT INTO conversation (agent, recorded, mark) VALUES (?, ?, ?)
     ON CONFLICT (agent) DO UPDATE SET recorded = excluded.recorded, mark = excluded.mark
     WHERE excluded.recorded > conversation.recorded`,
  );
  const begin = db.write(
    `INSERT INTO conversation (agent, recorded, mark, after_message, after_run)
     SELECT ?, newest.message, NULL, newest.message, newest.run
     FROM (SELECT coalesce((SELECT max(seq) FROM message), 0) AS message,
                  coalesce((SELECT max(seq) FROM run), 0) AS run) AS newest
     WHERE true
     ON CONFLICT (agent) DO UPDATE SET recorded = excluded.recorded, mark = NULL,
       after_message = excluded.after_message, after_run = excluded.after_run`,
  );
  const removeSummaries = db.write("DELETE FROM summary WHERE space = ?");
  const setCleared = db.write(
    `INSERT INTO conversation (agent, recorded, cleared_at) VALUES (?, 0, ?)
     ON CONFLICT (agent) DO UPDATE SET cleared_at = excluded.cleared_at`,
  );
  const insert = db.write("INSERT INTO conversation (agent, recorded) VALUES (?, 0) ON CONFLICT (agent) DO NOTHING");
  const remove = db.write("DELETE FROM conversation WHERE agent = ?");
  return {
    async setRecorded(agent, { seq, mark }) {
      await advance(agent, seq, mark);
    },

    async begin(agent) {
      await begin(agent);
      await removeSummaries(agent);
    },

    async setCleared(agent, at) {
      await setCleared(agent, at);
    },

    // In the schema in memory a row says that the conversation is there. Of that on disk, nothing is ever removed.
    async place(agent, where) {
      if (where === "memory") await insert(agent);
      else await remove(agent);
    },

    async promote() {},
  };
}
