import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** A child of `recovery`: leaves open runs and a long log behind, as a daemon that was killed does. FILE RUNS MEGABYTES */
const [file = "", runs = "0", megabytes = "0"] = process.argv.slice(2);
const db = new DatabaseSync(file);
db.exec("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0");
const insertRun = db.prepare(
  "INSERT INTO run (id, mailbox, space, lane, state, holder, cause, started_at) VALUES (?, 'alice', '@review:main', 0, 'open', '', '', 0)",
);
const insertStep = db.prepare("INSERT INTO step (run, number, transcript, finished_at) VALUES (?, 1, ?, 0)");
db.exec("BEGIN");
for (let i = 0; i < Number(runs); i += 1) {
  insertRun.run(`run_${i}`);
  insertStep.run(`run_${i}`, JSON.stringify({ text: "x".repeat(4_000) }));
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
