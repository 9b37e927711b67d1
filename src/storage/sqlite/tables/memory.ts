import type { MemoryReads, MemoryWrites } from "../../../ports/store/memory.ts";
import type { Connection, WriteConnection } from "../connection.ts";

export function memoryReads(db: Connection): MemoryReads {
  const selectQuestions = db.all("SELECT * FROM memory_question WHERE agent = ? ORDER BY seq DESC LIMIT +?");
  const selectUses = db.all("SELECT entry, at FROM memory_use WHERE agent = ?");
  const selectSeen = db.get("SELECT 1 FROM outside_heard WHERE agent = ? AND space = ?");
  return {
    async questions(agent, limit) {
      return selectQuestions(agent, limit).map((row) => ({
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
      return new Map(selectUses(agent).map((row) => [row["entry"] as string, row["at"] as number]));
    },

    async hasSeenUntrusted(agent, space) {
      return selectSeen(agent, space) !== undefined;
    },
  };
}

export function memoryWrites(db: WriteConnection): MemoryWrites {
  const insertQuestion = db.run(
    "INSERT INTO memory_question (id, agent, asker, space, run, query, shared, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const upsertUse = db.run(
    `INSERT INTO memory_use (agent, entry, at) VALUES (?, ?, ?)
     ON CONFLICT (agent, entry) DO UPDATE SET at = excluded.at`,
  );
  const insertSeen = db.run("INSERT INTO outside_heard (agent, space, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  return {
    async addQuestion({ id, agent, asker, space, run, query, shared, at }) {
      insertQuestion(id, agent, asker, space, run, query, shared, at);
    },

    async markUsed(agent, entry, at) {
      upsertUse(agent, entry, at);
    },

    async markSeenUntrusted(agent, space, at) {
      insertSeen(agent, space, at);
    },
  };
}
