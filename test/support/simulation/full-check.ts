import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { CausalTree } from "../../../src/domain/causal/budget.ts";
import { must } from "./broken.ts";
import type { Model } from "./model.ts";

/** Looks at the whole store with plain SQL on a copy of it, and at the model: they must tell the same story. */
export async function checkEverything(model: Model, copyTo: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "simulation-copy-"));
  const file = join(folder, "copy.db");
  try {
    await copyTo(file);
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      for (const check of [checkMessages, checkDeliveries, checkRuns, checkBudgets, checkEvents]) check(model, db);
    } finally {
      db.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Once nobody has anything to do: everything accepted has come to its end. */
export function checkAtRest(model: Model): void {
  for (const { id, status } of model.letters.values()) {
    must(status === "acked" || status === "dead", () => `${id} is still ${status}`);
  }
  for (const { id, state } of model.runs.values()) must(state === "ended", () => `${id} is still ${state}`);
}

type Row = Readonly<Record<string, unknown>>;

function checkMessages(model: Model, db: DatabaseSync): void {
  const rows = db.prepare("SELECT id FROM message").all();
  const lost = new Set(model.messages.keys()).difference(new Set(rows.map((row) => row["id"])));
  must(lost.size === 0, () => `messages were lost: ${[...lost].join()}`);
  must(rows.length === model.messages.size, () => `${rows.length} messages, ${model.messages.size} expected`);
}

const STATES = ["pending", "leased", "acked", "dead"];

function checkDeliveries(model: Model, db: DatabaseSync): void {
  const rows = db
    .prepare("SELECT d.*, m.id AS message_id, m.sender FROM delivery d JOIN message m ON m.seq = d.message")
    .all();
  must(rows.length === model.letters.size, () => `${rows.length} deliveries, ${model.letters.size} expected`);
  const seen = new Set<string>();
  for (const row of rows) {
    const letter = model.letters.get(String(row["id"]));
    must(letter !== undefined, () => `nobody expected ${String(row["id"])}`);
    const key = `${String(row["message_id"])} ${String(row["mailbox"])}`;
    must(!seen.has(key), () => `${key} was delivered twice`);
    seen.add(key);
    must(!isOwn(row), () => `${key} was delivered to its author`);
    const found = [
      row["message_id"],
      row["mailbox"],
      STATES[Number(row["state"])],
      row["attempts"],
      row["preemptions"],
      row["not_before"],
      row["run"],
    ];
    const { message, mailbox, status, attempts, preempted, notBefore, run } = letter;
    const expected = [message.id, mailbox, status, attempts, preempted, notBefore ?? 0, run?.id ?? null];
    must(found.join() === expected.join(), () => `${letter.id} is ${found.join()}, expected ${expected.join()}`);
  }
}

function isOwn(row: Row): boolean {
  return String(row["mailbox"]).split("@")[0] === row["sender"];
}

function checkRuns(model: Model, db: DatabaseSync): void {
  const rows = db.prepare("SELECT * FROM run").all();
  must(rows.length === model.runs.size, () => `${rows.length} runs, ${model.runs.size} expected`);
  const steps = countBy(db, "SELECT run AS key, count(*) AS n FROM step GROUP BY run");
  const said = countBy(db, "SELECT run AS key, count(*) AS n FROM message WHERE run IS NOT NULL GROUP BY run");
  const open = new Set<unknown>();
  for (const row of rows) {
    const run = model.runs.get(String(row["id"]));
    must(run !== undefined, () => `nobody expected ${String(row["id"])}`);
    const found = [
      row["state"],
      row["outcome"],
      row["spoke"],
      row["recoveries"],
      steps.get(run.id) ?? 0,
      said.get(run.id) ?? 0,
    ];
    const expected = [run.state, run.outcome, Number(run.spoke), run.recoveries, run.steps, run.said];
    must(found.join() === expected.join(), () => `${run.id} is ${found.join()}, expected ${expected.join()}`);
    if (row["state"] !== "open") continue;
    must(!open.has(row["mailbox"]), () => `${run.mailbox} has two open runs`);
    open.add(row["mailbox"]);
  }
}

function checkBudgets(model: Model, db: DatabaseSync): void {
  const { hops, turns } = model.limits;
  const rows = db.prepare("SELECT root, counters FROM causal_tree").all();
  const uncharged = new Set(model.trees.keys()).difference(new Set(rows.map((row) => row["root"])));
  must(uncharged.size === 0, () => `${[...uncharged].join()} was not charged`);
  for (const row of rows) {
    const tree = JSON.parse(String(row["counters"])) as CausalTree;
    const expected = model.tree(tree.root);
    must(
      tree.turns <= turns && tree.maxDepth <= hops,
      () => `${tree.root} exceeded its budget: ${JSON.stringify(tree)}`,
    );
    const same =
      tree.turns === expected.turns && tree.messages === expected.messages && tree.maxDepth === expected.maxDepth;
    must(
      same && (tree.tripped !== null) === expected.tripped,
      () => `${tree.root}: ${JSON.stringify(tree)}, expected ${JSON.stringify(expected)}`,
    );
  }
}

function checkEvents(model: Model, db: DatabaseSync): void {
  const row = db.prepare("SELECT count(*) AS n, coalesce(max(seq), 0) AS last FROM event").get();
  must(
    row?.["n"] === model.events && row["last"] === model.events,
    () => `${JSON.stringify(row)}, expected ${model.events} events`,
  );
}

function countBy(db: DatabaseSync, sql: string): Map<string, number> {
  return new Map(
    db
      .prepare(sql)
      .all()
      .map((row) => [String(row["key"]), Number(row["n"])]),
  );
}
