import { DatabaseSync } from "node:sqlite";

/**
 * Writes a long history straight into the tables of a closed store: `count` messages in the review workspace, each with
 * a settled delivery to alice, and `open` more that still wait. A million through the operation would take a minute.
 */
export function fillHistory(file: string, count: number, open: number): void {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000");
  const total = count + open;
  db.prepare(
    `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO message (id, space, sender, kind, body, mentions, root, depth, created_at)
     SELECT printf('msg_%026d', i), '@review:main', 'user', 'message', 'please look at item ' || i, '["alice"]',
       printf('msg_%026d', i), 0, i FROM n`,
  ).run(total);
  db.prepare(
    `INSERT INTO delivery (id, message, space, mailbox, lane, enqueued_at, state, reason)
     SELECT 'dlv' || substr(id, 4), seq, space, 'alice', 0, created_at, CASE WHEN created_at > ? THEN 0 ELSE 2 END, 'run'
     FROM message ORDER BY seq`,
  ).run(count);
  db.close();
}
