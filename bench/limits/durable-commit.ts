import { DatabaseSync } from "node:sqlite";

/** What one small durable transaction costs on this disk: a row, a commit, a flush. */
export function openDurableCommits(file: string): Disposable & { commit(): void } {
  const db = new DatabaseSync(file);
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE fact (id INTEGER PRIMARY KEY, body TEXT)",
  );
  const insert = db.prepare("INSERT INTO fact (body) VALUES (?)");
  const body = "x".repeat(300);
  return { commit: () => void insert.run(body), [Symbol.dispose]: () => db.close() };
}
