import type { PastStep, RunHistoryReads, RunHistoryWrites, ToolCallRecord } from "../../ports/store/run-history.ts";
import type { Connection, Row, WriteConnection } from "../connection.ts";
import { runInputReads, runInputWrites } from "./run-input.ts";
import { RUN, toRun, toUsage, USAGE_COLUMNS } from "./run.ts";

/** Ids are ordered by time, and begin with letters. */
const AFTER_ALL = "~";

export function runHistoryReads(db: Connection): RunHistoryReads {
  const selectAll = db.lists(`${RUN} ORDER BY seq DESC LIMIT +?`);
  const selectOfMailbox = db.lists(`${RUN} WHERE mailbox = ? ORDER BY id DESC LIMIT +?`);
  const selectOfSpace = db.lists(`${RUN} WHERE space = ? ORDER BY seq DESC LIMIT +?`);
  const selectOfBoth = db.lists(`${RUN} WHERE space = ? AND mailbox = ? ORDER BY seq DESC LIMIT +?`);
  const selectOfChain = db.lists(`${RUN} WHERE root = ? AND id < ? ORDER BY id DESC LIMIT +?`);
  const selectBefore = db.lists(`${RUN} WHERE id < ? ORDER BY id DESC LIMIT +?`);
  const selectOfMailboxBefore = db.lists(`${RUN} WHERE mailbox = ? AND id < ? ORDER BY id DESC LIMIT +?`);
  const selectOfSpaceBefore = db.lists(`${RUN} WHERE space = ? AND id < ? ORDER BY id DESC LIMIT +?`);
  const selectOfBothBefore = db.lists(`${RUN} WHERE space = ? AND mailbox = ? AND id < ? ORDER BY id DESC LIMIT +?`);
  const selectSteps = db.all(`SELECT ${USAGE_COLUMNS}, s.finished_at FROM step s WHERE s.run = ? ORDER BY s.number`);
  const selectReceipt = db.get("SELECT content FROM receipt WHERE run = ?");
  const selectRemoved = db.get("SELECT details_removed_at FROM run WHERE id = ?");
  const selectCalls = db.all("SELECT * FROM tool_call WHERE run = ? ORDER BY step, position");
  return {
    ...runInputReads(db),

    async list({ mailbox, space, root, before, limit }) {
      if (root !== undefined) return (await selectOfChain(root, before ?? AFTER_ALL, limit)).map(toRun);
      const place = [...(space === undefined ? [] : [space]), ...(mailbox === undefined ? [] : [mailbox])];
      if (before !== undefined) {
        const select =
          place.length === 2
            ? selectOfBothBefore
            : space !== undefined
              ? selectOfSpaceBefore
              : mailbox !== undefined
                ? selectOfMailboxBefore
                : selectBefore;
        return (await select(...place, before, limit)).map(toRun);
      }
      if (mailbox !== undefined && space !== undefined) return (await selectOfBoth(space, mailbox, limit)).map(toRun);
      if (mailbox !== undefined) return (await selectOfMailbox(mailbox, limit)).map(toRun);
      return (space === undefined ? await selectAll(limit) : await selectOfSpace(space, limit)).map(toRun);
    },

    async steps(run) {
      const calls = Map.groupBy(await selectCalls(run), (row) => row["step"]);
      return (await selectSteps(run)).map((row): PastStep => ({
        number: row["number"] as number,
        finishedAt: row["finished_at"] as number,
        wallMs: row["wall_ms"] as number,
        usage: toUsage(row),
        calls: (calls.get(row["number"]) ?? []).map(toCall),
      }));
    },

    async receipt(run) {
      return ((await selectReceipt(run))?.["content"] as string | undefined) ?? null;
    },

    async detailsRemovedAt(run) {
      return ((await selectRemoved(run))?.["details_removed_at"] as number | null | undefined) ?? null;
    },
  };
}

export function runHistoryWrites(db: WriteConnection): RunHistoryWrites {
  const insertCall = db.write(
    "INSERT INTO tool_call (run, step, position, tool, args, result, failed, wall_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const upsertReceipt = db.write(
    "INSERT INTO receipt (run, content) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET content = excluded.content",
  );
  return {
    ...runInputWrites(db),

    async storeReceipt(run, receipt) {
      await upsertReceipt(run, receipt);
    },

    async storeCalls(run, step, calls) {
      for (const [position, { tool, args, result, failed, wallMs = null }] of calls.entries()) {
        await insertCall(run, step, position, tool, args, result, Number(failed), wallMs);
      }
    },
  };
}

function toCall(row: Row): ToolCallRecord {
  return {
    tool: row["tool"] as string,
    args: row["args"] as string,
    result: row["result"] as string | null,
    failed: row["failed"] === 1,
    ...(row["wall_ms"] === null ? {} : { wallMs: row["wall_ms"] as number }),
  };
}
