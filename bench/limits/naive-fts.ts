import { DatabaseSync } from "node:sqlite";

/** Search as one would write it first: one FTS5 table, every word of the question, BM25, the agent as a filter. */
export function openNaiveSearch(file: string): Disposable & {
  add(texts: readonly { readonly agent: string; readonly id: string; readonly text: string }[]): void;
  find(agent: string, question: string, limit: number): string[];
} {
  const db = new DatabaseSync(file);
  db.exec("CREATE VIRTUAL TABLE texts USING fts5 (agent UNINDEXED, id UNINDEXED, text)");
  const insert = db.prepare("INSERT INTO texts (agent, id, text) VALUES (?, ?, ?)");
  const select = db.prepare("SELECT id FROM texts WHERE texts MATCH ? AND agent = ? ORDER BY bm25(texts) LIMIT ?");
  return {
    add(texts) {
      db.exec("BEGIN");
      for (const { agent, id, text } of texts) insert.run(agent, id, text);
      db.exec("COMMIT");
    },
    find(agent, question, limit) {
      const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
      const match = words.map((word) => `"${word}"`).join(" OR ");
      return select.all(match, agent, limit).map((row) => String(row["id"]));
    },
    [Symbol.dispose]: () => db.close(),
  };
}
