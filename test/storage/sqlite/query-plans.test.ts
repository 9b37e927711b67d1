import { expect, it } from "vitest";
import type { Connection } from "../../../src/storage/connection.ts";
import { openDatabase } from "../../../src/storage/sqlite/connection.ts";
import { migrate } from "../../../src/storage/sqlite/migrate.ts";
import { conversationReads } from "../../../src/storage/tables/conversation.ts";
import { deliveryReads } from "../../../src/storage/tables/delivery.ts";
import { messageReads } from "../../../src/storage/tables/message.ts";

/** The statements a part of the store prepares. */
function statementsOf(prepare: (db: Connection) => unknown): string[] {
  const statements: string[] = [];
  const note = (sql: string) => {
    statements.push(sql);
    return () => [];
  };
  prepare({ sizeStatement: "SELECT 1", all: note, lists: note, get: (sql) => (note(sql), () => undefined) });
  return statements;
}

it("[delivery.inbox-indexed] finds messages and deliveries by an index, and never looks at all of them", () => {
  const db = openDatabase(":memory:");
  migrate(db, { file: null, now: 0 });
  const statements = [deliveryReads, messageReads, conversationReads].flatMap(statementsOf);
  expect(statements.length).toBeGreaterThan(15);
  const plans = new Map(statements.map((sql) => [sql, plan(sql)]));
  for (const [sql, steps] of plans) {
    const made = steps.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\w+)/.exec(step)?.[1] ?? []);
    const whole = steps.filter((step) => {
      const table = /^SCAN (m|message|d|delivery)\b/.exec(step)?.[1];
      // An index of what is open or dead is small, however many there ever were.
      return table !== undefined && !made.includes(table) && !step.includes("INDEX delivery_");
    });
    expect(whole, sql).toEqual([]);
  }
  const inbox = [...plans].find(([sql]) => sql.includes("ORDER BY d.lane, d.seq"))?.[1];
  expect(inbox).toEqual([
    "SEARCH d USING INDEX delivery_inbox (space=? AND mailbox=?)",
    "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)",
  ]);
  const deadInSpace = [...plans].find(([sql]) => sql.includes("d.state = 3 AND d.space = ?"))?.[1];
  expect(deadInSpace).toEqual([
    "SEARCH d USING INDEX delivery_dead_in (space=?)",
    "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)",
  ]);
  db.close();

  function plan(sql: string): string[] {
    return db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
  }
});
