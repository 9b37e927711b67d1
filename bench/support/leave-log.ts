import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/**
 * A child of `recovery`: leaves an open run of each of the agents a1, a2, …, with what it was for, and a long log, as a
 * daemon that was killed does.
 * FILE RUNS MEGABYTES
 */
const [file = "", runs = "0", megabytes = "0"] = process.argv.slice(2);
const HOLDER = "own_killed";
const db = new DatabaseSync(file);
db.exec("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0");
const insertMessage = db.prepare(
  `INSERT INTO message (id, space, sender, kind, body, mentions, root, depth, created_at)
   VALUES (?, '@review:main', 'user', 'message', ?, ?, ?, 0, 0)`,
);
const insertDelivery = db.prepare(
  `INSERT INTO delivery (id, message, space, mailbox, lane, enqueued_at, state, holder, run, agent)
   VALUES (?, ?, '@review:main', ?, 0, 0, 1, '${HOLDER}', ?, ?)`,
);
const insertRun = db.prepare(
  `INSERT INTO run (id, mailbox, space, lane, state, holder, cause, root, started_at, agent)
   VALUES (?, ?, '@review:main', 0, 'open', '${HOLDER}', ?, ?, 0, ?)`,
);
const insertStep = db.prepare("INSERT INTO step (run, number, transcript, finished_at) VALUES (?, 1, ?, 0)");
db.exec("BEGIN");
for (let i = 0; i < Number(runs); i += 1) {
  const [agent, message, run] = [`a${i + 1}`, `msg_open_${i}`, `run_open_${i}`];
  const text = `@${agent} look at this`;
  const { lastInsertRowid } = insertMessage.run(message, text, JSON.stringify([agent]), message);
  insertRun.run(run, agent, message, message, agent);
  insertDelivery.run(`dlv_open_${i}`, lastInsertRowid, agent, run, agent);
  // As the mock engine keeps where it is.
  insertStep.run(run, JSON.stringify({ turn: 0, next: 1, values: { filler: "x".repeat(4_000) }, waiting: null }));
}
db.exec("COMMIT");
const insertEvent = db.prepare("INSERT INTO event (type, data, at) VALUES ('message.posted', ?, 0)");
while (statSync(`${file}-wal`).size < Number(megabytes) * 1024 * 1024) {
  db.exec("BEGIN");
  for (let i = 0; i < 200; i += 1)
    insertEvent.run(JSON.stringify({ space: "@review:main", message: "y".repeat(3_000) }));
  db.exec("COMMIT");
}
process.kill(process.pid, "SIGKILL");
