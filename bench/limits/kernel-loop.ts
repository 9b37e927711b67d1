import { DatabaseSync } from "node:sqlite";

/**
 * The least that takes turns durably: a message comes in, its delivery is leased with a run that says so, the reply, the
 * acknowledgement and the end of the run are one commit. Everything that waits in one turn of the event loop shares a
 * commit. No prompt, no checks, no budgets, no events, no watching.
 */
export async function kernelLoop(file: string, agents: number, turns: number, grouped: boolean): Promise<number> {
  using db = openTurns(file);
  const commit = grouped ? groupCommit(db) : async (work: () => void) => alone(db, work);
  let next = 0;
  const agent = async (): Promise<void> => {
    for (let i = next++; i < turns; i = next++) {
      await commit(() => db.send(i));
      await commit(() => db.lease(i));
      await commit(() => db.settle(i));
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: agents }, agent));
  return performance.now() - started;
}

interface Turns extends Disposable {
  begin(): void;
  commit(): void;
  send(i: number): void;
  lease(i: number): void;
  settle(i: number): void;
}

function alone(db: Turns, work: () => void): void {
  db.begin();
  work();
  db.commit();
}

function groupCommit(db: Turns): (work: () => void) => Promise<void> {
  let waiting: { readonly work: () => void; readonly done: () => void }[] = [];
  return (work) =>
    new Promise((done) => {
      waiting.push({ work, done });
      if (waiting.length > 1) return;
      setImmediate(() => {
        const group = waiting;
        waiting = [];
        alone(db, () => group.forEach((each) => each.work()));
        for (const each of group) each.done();
      });
    });
}

function openTurns(file: string): Turns {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec(`
    CREATE TABLE message (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, space TEXT NOT NULL, sender TEXT NOT NULL,
      body TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
    CREATE INDEX message_of_space ON message (space, seq);
    CREATE TABLE delivery (seq INTEGER PRIMARY KEY, message INTEGER NOT NULL, mailbox TEXT NOT NULL,
      state INTEGER NOT NULL DEFAULT 0, run TEXT) STRICT;
    CREATE INDEX delivery_queue ON delivery (mailbox, seq) WHERE state = 0;
    CREATE TABLE run (id TEXT PRIMARY KEY, mailbox TEXT NOT NULL, state TEXT NOT NULL, detail TEXT) STRICT;
  `);
  const statement = (sql: string) => db.prepare(sql);
  const begin = statement("BEGIN IMMEDIATE");
  const commit = statement("COMMIT");
  const message = statement("INSERT INTO message (id, space, sender, body, created_at) VALUES (?, ?, ?, ?, ?)");
  const delivery = statement("INSERT INTO delivery (message, mailbox) VALUES (?, ?)");
  const head = statement("SELECT seq FROM delivery WHERE mailbox = ? AND state = 0 ORDER BY seq LIMIT 1");
  const lease = statement("UPDATE delivery SET state = 1, run = ? WHERE seq = ?");
  const run = statement("INSERT INTO run (id, mailbox, state) VALUES (?, ?, 'open')");
  const ack = statement("UPDATE delivery SET state = 2 WHERE seq = ?");
  const end = statement("UPDATE run SET state = 'ended', detail = ? WHERE id = ?");
  const leased = new Map<number, number>();
  return {
    begin: () => void begin.run(),
    commit: () => void commit.run(),
    send(i) {
      const { lastInsertRowid } = message.run(`msg_${i}`, "@team:main", "user", `@a${i} number ${i}`, i);
      delivery.run(lastInsertRowid, `a${i}`);
    },
    lease(i) {
      const seq = head.get(`a${i}`)?.["seq"];
      if (typeof seq !== "number") throw new Error(`nothing waits for a${i}`);
      leased.set(i, seq);
      lease.run(`run_${i}`, seq);
      run.run(`run_${i}`, `a${i}`);
    },
    settle(i) {
      ack.run(leased.get(i) ?? 0);
      leased.delete(i);
      message.run(`rep_${i}`, "@team:main", `a${i}`, `Done with number ${i}.`, i);
      end.run(`Done with number ${i}.`, `run_${i}`);
    },
    [Symbol.dispose]: () => db.close(),
  };
}
