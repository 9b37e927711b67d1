import type { MemoryChange, MemoryReads, MemoryWrites } from "../../ports/store/memory.ts";
import type { Connection, WriteConnection } from "../connection.ts";

export function memoryReads(db: Connection): MemoryReads {
  const selectQuestions = db.all("SELECT * FROM memory_question WHERE agent = ? ORDER BY seq DESC LIMIT +?");
  const selectUses = db.all("SELECT entry, at FROM memory_use WHERE agent = ?");
  const selectCounts = db.all("SELECT entry, at, times FROM memory_use WHERE agent = ?");
  const selectChange = db.get("SELECT * FROM memory_change WHERE id = ?");
  const selectChanges = db.all(
    `SELECT * FROM memory_change WHERE (agent = ?1 OR ?1 IS NULL) AND (state = ?2 OR ?2 IS NULL)
     ORDER BY seq DESC LIMIT +?3`,
  );
  const selectTidied = db.get("SELECT at FROM memory_tidied WHERE agent = ?");
  const selectSeen = db.get("SELECT 1 FROM outside_heard WHERE agent = ? AND space = ?");
  return {
    async questions(agent, limit) {
      return (await selectQuestions(agent, limit)).map((row) => ({
        id: row["id"] as string,
        agent: row["agent"] as string,
        asker: row["asker"] as string,
        space: row["space"] as string,
        run: row["run"] as string | null,
        query: row["query"] as string,
        shared: row["shared"] as number,
        at: row["at"] as number,
      }));
    },

    async uses(agent) {
      return new Map((await selectUses(agent)).map((row) => [row["entry"] as string, row["at"] as number]));
    },

    async useCounts(agent) {
      const rows = await selectCounts(agent);
      return new Map(
        rows.map((row) => [row["entry"] as string, { times: row["times"] as number, at: row["at"] as number }]),
      );
    },

    async change(id) {
      const row = await selectChange(id);
      return row === undefined ? undefined : toChange(row);
    },

    async changes({ agent = null, state = null, limit }) {
      return (await selectChanges(agent, state, limit)).map(toChange);
    },

    async tidiedAt(agent) {
      return ((await selectTidied(agent))?.["at"] ?? 0) as number;
    },

    async hasSeenUntrusted(agent, space) {
      return (await selectSeen(agent, space)) !== undefined;
    },
  };
}

export function memoryWrites(db: WriteConnection): MemoryWrites {
  const insertQuestion = db.write(
    "INSERT INTO memory_question (id, agent, asker, space, run, query, shared, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const upsertUse = db.write(
    `INSERT INTO memory_use (agent, entry, at) VALUES (?, ?, ?)
     ON CONFLICT (agent, entry) DO UPDATE SET at = excluded.at, times = memory_use.times + 1`,
  );
  const insertChange = db.write(
    `INSERT INTO memory_change (id, agent, kind, state, subject, reason, details, at, decided_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const selectState = db.get("SELECT 1 FROM memory_change WHERE id = ? AND state = ?");
  const updateChange = db.write("UPDATE memory_change SET state = ?, details = ?, decided_at = ? WHERE id = ?");
  const upsertTidied = db.write(
    "INSERT INTO memory_tidied (agent, at) VALUES (?, ?) ON CONFLICT (agent) DO UPDATE SET at = excluded.at",
  );
  const insertSeen = db.write("INSERT INTO outside_heard (agent, space, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  return {
    async addQuestion({ id, agent, asker, space, run, query, shared, at }) {
      await insertQuestion(id, agent, asker, space, run, query, shared, at);
    },

    async markUsed(agent, entry, at) {
      await upsertUse(agent, entry, at);
    },

    async addChange({ id, agent, kind, state, subject, reason, details, at, decidedAt }) {
      await insertChange(id, agent, kind, state, subject, reason, JSON.stringify(details), at, decidedAt);
    },

    async decideChange(id, from, { state, details, decidedAt }) {
      if ((await selectState(id, from)) === undefined) return false;
      await updateChange(state, JSON.stringify(details), decidedAt, id);
      return true;
    },

    async setTidied(agent, at) {
      await upsertTidied(agent, at);
    },

    async markSeenUntrusted(agent, space, at) {
      await insertSeen(agent, space, at);
    },
  };
}

function toChange(row: Readonly<Record<string, unknown>>): MemoryChange {
  return {
    id: row["id"] as string,
    agent: row["agent"] as string,
    kind: row["kind"] as MemoryChange["kind"],
    state: row["state"] as MemoryChange["state"],
    subject: row["subject"] as string,
    reason: row["reason"] as string,
    details: JSON.parse(row["details"] as string) as MemoryChange["details"],
    at: row["at"] as number,
    decidedAt: row["decided_at"] as number | null,
  };
}
