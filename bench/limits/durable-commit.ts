import { DatabaseSync } from "node:sqlite";

/** What one durable transaction costs on this disk, a small one unless told otherwise: a row, a commit, a flush. */
export function openDurableCommits(file: string): Disposable & { commit(body?: string): void } {
  const db = new DatabaseSync(file);
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE fact (id INTEGER PRIMARY KEY, body TEXT)",
  );
  const insert = db.prepare("INSERT INTO fact (body) VALUES (?)");
  const small = "x".repeat(300);
  return { commit: (body = small) => void insert.run(body), [Symbol.dispose]: () => db.close() };
}
