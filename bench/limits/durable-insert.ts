import { DatabaseSync } from "node:sqlite";

/**
 * The least that accepts a message durably: the facts of one message and two deliveries in a real file, with the
 * indexes without which an inbox or a channel could not be read, and nothing else. No checks, no routing, no events.
 */
export function durableInserts(file: string, count: number, group: number): number {
  using inserts = openMessageInserts(file);
  const started = performance.now();
  for (let first = 0; first < count; first += group) {
    inserts.begin();
    for (let i = first; i < Math.min(first + group, count); i += 1) {
      inserts.add(i, `@alice and @bob please look at item ${i}`);
    }
    inserts.commit();
  }
  return performance.now() - started;
}

export interface MessageInserts extends Disposable {
  begin(): void;
  /** Answers with the id of the message. */
  add(i: number, body: string): string;
  commit(): void;
}

/** With `event`, what happened is a row too, from which whoever watches can go on. */
export function openMessageInserts(file: string, more: { readonly event?: boolean } = {}): MessageInserts {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec(`
    CREATE TABLE message (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, space TEXT NOT NULL, sender TEXT NOT NULL,
      kind TEXT NOT NULL, addressee TEXT, body TEXT NOT NULL, resource TEXT, mentions TEXT NOT NULL,
      root TEXT NOT NULL, cause TEXT, depth INTEGER NOT NULL, run TEXT, created_at INTEGER NOT NULL) STRICT;
    CREATE INDEX message_of_space ON message (space, seq);
    CREATE TABLE delivery (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
      message INTEGER NOT NULL REFERENCES message (seq), space TEXT NOT NULL, mailbox TEXT NOT NULL,
      lane INTEGER NOT NULL, enqueued_at INTEGER NOT NULL, state INTEGER NOT NULL DEFAULT 0,
      attempts INTEGER NOT NULL DEFAULT 0, not_before INTEGER NOT NULL DEFAULT 0, leaseOwner TEXT, run TEXT) STRICT;
    CREATE TABLE event (seq INTEGER PRIMARY KEY, type TEXT NOT NULL, data TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE INDEX delivery_queue ON delivery (mailbox, lane, seq) WHERE state = 0;
    CREATE INDEX delivery_inbox ON delivery (space, mailbox, lane, seq) WHERE state < 2;
  `);
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const message = db.prepare(
    `INSERT INTO message (id, space, sender, kind, addressee, body, resource, mentions, root, cause, depth, run, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const delivery = db.prepare(
    "INSERT INTO delivery (id, message, space, mailbox, lane, enqueued_at) VALUES (?, ?, ?, ?, ?, ?)",
  );

  const event = db.prepare("INSERT INTO event (type, data, at) VALUES (?, ?, ?)");

  return {
    begin: () => void begin.run(),
    add(i, body) {
      const id = `msg_${String(i).padStart(26, "0")}`;
      const mentions = '["alice","bob"]';
      const row = message.run(id, "@review:main", "user", "message", null, body, null, mentions, id, null, 0, null, i);
      delivery.run(`dlv_${id.slice(5)}a`, row.lastInsertRowid, "@review:main", "alice", 0, i);
      delivery.run(`dlv_${id.slice(5)}b`, row.lastInsertRowid, "@review:main", "bob", 0, i);
      if (more.event === true) event.run("message.posted", `{"space":"@review:main","message":"${id}"}`, i);
      return id;
    },
    commit: () => void commit.run(),
    [Symbol.dispose]: () => db.close(),
  };
}
