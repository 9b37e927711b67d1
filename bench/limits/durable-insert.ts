import { DatabaseSync } from "node:sqlite";

/**
 * The least that accepts a message durably: one message and two deliveries in a real file, with the indexes without
 * which an inbox or a channel could not be read, and nothing else. No checks, no routing, no events.
 */
export function durableInserts(file: string, count: number, group: number): number {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec(`
    CREATE TABLE message (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, space TEXT NOT NULL, sender TEXT NOT NULL,
      body TEXT NOT NULL, mentions TEXT NOT NULL, root TEXT NOT NULL, cause TEXT, depth INTEGER NOT NULL,
      created_at INTEGER NOT NULL) STRICT;
    CREATE INDEX message_of_space ON message (space, seq);
    CREATE TABLE delivery (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, message INTEGER NOT NULL,
      space TEXT NOT NULL, recipient TEXT NOT NULL, lane INTEGER NOT NULL, state INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE INDEX delivery_queue ON delivery (recipient, lane, seq) WHERE state = 0;
    CREATE INDEX delivery_inbox ON delivery (space, recipient, seq) WHERE state < 2;
  `);
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const message = db.prepare(
    "INSERT INTO message (id, space, sender, body, mentions, root, cause, depth, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const delivery = db.prepare("INSERT INTO delivery (id, message, space, recipient, lane) VALUES (?, ?, ?, ?, ?)");

  const started = performance.now();
  for (let first = 0; first < count; first += group) {
    begin.run();
    for (let i = first; i < Math.min(first + group, count); i += 1) {
      const id = `msg_${String(i).padStart(26, "0")}`;
      const body = `@alice and @bob please look at item ${i}`;
      const row = message.run(id, "@review:main", "user", body, '["alice","bob"]', id, null, 0, i);
      delivery.run(`${id}_a`, row.lastInsertRowid, "@review:main", "alice", 0);
      delivery.run(`${id}_b`, row.lastInsertRowid, "@review:main", "bob", 0);
    }
    commit.run();
  }
  const ms = performance.now() - started;
  db.close();
  return ms;
}
