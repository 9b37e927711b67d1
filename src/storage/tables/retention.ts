import type { RetentionReads, RetentionWrites } from "../../ports/store/retention.ts";
import type { Connection, WriteConnection } from "../connection.ts";
import { runInputRemover } from "./run-input.ts";

/** What may still wait for somebody in a closed workspace `w`, and what must stay because it is the newest. */
const WAITS = [
  `SELECT 1 FROM delivery d WHERE d.space = w.key AND d.state < 2`,
  `SELECT 1 FROM delivery d WHERE d.space = w.key AND d.state = 3`,
  `SELECT 1 FROM run r WHERE r.state <> 'ended' AND +r.space = w.key`,
  `SELECT 1 FROM ballot b WHERE b.space = w.key AND (b.state = 'open' OR b.recorded = 0)`,
  `SELECT 1 FROM approval a WHERE a.state = 'pending' AND a.space = w.key`,
  `SELECT 1 FROM suggestion s WHERE s.state = 'open' AND s.space = w.key`,
  `SELECT 1 FROM schedule c WHERE substr(c.target, instr(c.target, '@')) IN (w.key, '@' || w.workflow || ':' || w.tag)
     OR (w.tag = 'main' AND substr(c.target, instr(c.target, '@')) = '@' || w.workflow)`,
  `SELECT 1 FROM message m WHERE m.space = w.key AND m.seq = (SELECT max(seq) FROM message)`,
  `SELECT 1 FROM run r WHERE r.space = w.key AND r.seq = (SELECT max(seq) FROM run)`,
]
  .map((select) => `EXISTS (${select})`)
  .join(" OR ");

export function retentionReads(db: Connection): RetentionReads {
  const selectRuns = db.all(
    `SELECT r.id, r.ended_at, EXISTS (
       SELECT 1 FROM run n WHERE n.space = r.space AND n.id > r.id AND +n.mailbox = r.mailbox AND n.state = 'ended'
         AND EXISTS (SELECT 1 FROM step s WHERE s.run = n.id)) AS has_successor
     FROM run r WHERE r.state = 'ended' AND r.details_removed_at IS NULL
       AND (r.ended_at, r.id) > (?, ?) AND r.ended_at < ? ORDER BY r.ended_at, r.id LIMIT +?`,
  );
  const selectSteps = db.all(
    `SELECT s.number, octet_length(s.transcript) + coalesce((
       SELECT sum(octet_length(c.args) + coalesce(octet_length(c.result), 0)) FROM tool_call c
       WHERE c.run = s.run AND c.step = s.number), 0) AS bytes
     FROM step s WHERE s.run = ? ORDER BY s.number`,
  );
  const selectEvents = db.all(
    `SELECT seq, at, octet_length(data) AS bytes FROM event
     WHERE seq > ? AND seq < (SELECT max(seq) FROM event)
       AND seq <= coalesce((SELECT min(seen) FROM rule WHERE seen IS NOT NULL), seq)
     ORDER BY seq LIMIT +?`,
  );
  const selectNewestEvent = db.get("SELECT coalesce(max(seq), 0) AS seq FROM event");
  const selectWorkspaces = db.all(
    `SELECT w.key, (${WAITS}) AS waits FROM workspace w WHERE w.key > ? AND w.state = 'closed' AND w.closed_at < ?
     ORDER BY w.key LIMIT +?`,
  );
  const selectMessages = db.all(
    "SELECT seq, octet_length(body) AS bytes FROM message WHERE space = ? AND seq > ? ORDER BY seq LIMIT +?",
  );
  const selectRunsOf = db.all("SELECT id FROM run WHERE space = ? AND id > ? ORDER BY id LIMIT +?");
  const selectSize = db.get(db.sizeStatement);
  return {
    async runsWithDetails({ endedBefore, after, limit }) {
      return (await selectRuns(after?.endedAt ?? -1, after?.id ?? "", endedBefore, limit)).map((row) => ({
        id: row["id"] as string,
        endedAt: row["ended_at"] as number,
        hasSuccessor: row["has_successor"] === 1,
      }));
    },

    async detailedSteps(run) {
      return (await selectSteps(run))
        .map((row) => ({ number: row["number"] as number, bytes: row["bytes"] as number }))
        .filter(({ bytes }) => bytes > 0);
    },

    async oldEvents({ after, limit }) {
      return (await selectEvents(after, limit)).map((row) => ({
        seq: row["seq"] as number,
        at: row["at"] as number,
        bytes: row["bytes"] as number,
      }));
    },

    async newestEvent() {
      return (await selectNewestEvent())?.["seq"] as number;
    },

    async closedWorkspaces({ closedBefore, after, limit }) {
      return (await selectWorkspaces(after, closedBefore, limit)).map((row) => ({
        key: row["key"] as string,
        somethingWaits: row["waits"] === 1,
      }));
    },

    async messagesOf(space, { after, limit }) {
      return (await selectMessages(space, after, limit)).map((row) => ({
        seq: row["seq"] as number,
        bytes: row["bytes"] as number,
      }));
    },

    async runsOf(space, { after, limit }) {
      return (await selectRunsOf(space, after, limit)).map((row) => row["id"] as string);
    },

    async size() {
      const row = await selectSize();
      return { bytes: row?.["bytes"] as number, freeBytes: row?.["free"] as number };
    },
  };
}

/** Children are deleted before the rows they refer to. Usage and feedback stay. */
const OF_RUN = [
  "DELETE FROM step WHERE run = ?",
  "DELETE FROM tool_call WHERE run = ?",
  "DELETE FROM receipt WHERE run = ?",
  "DELETE FROM approval WHERE run = ?",
  "DELETE FROM run WHERE id = ? AND state = 'ended'",
] as const;

const OF_MESSAGE = [
  "DELETE FROM delivery WHERE message = ?",
  "DELETE FROM causal_tree WHERE root = (SELECT id FROM message WHERE seq = ?)",
  "DELETE FROM message WHERE seq = ?",
] as const;

const OF_WORKSPACE = [
  "DELETE FROM vote WHERE ballot IN (SELECT id FROM ballot WHERE space = ?)",
  "DELETE FROM ballot WHERE space = ?",
  "DELETE FROM document WHERE space = ?",
  "DELETE FROM summary WHERE space = ?",
  "DELETE FROM suggestion WHERE space = ?",
  "DELETE FROM held_grant WHERE space = ?",
  "DELETE FROM read_mark WHERE space = ?",
  "DELETE FROM own_proposal_state WHERE space = ?",
  "DELETE FROM rule WHERE space = ?",
  "DELETE FROM resource_space WHERE space = ?",
  "DELETE FROM participant WHERE space = ?",
  "DELETE FROM workflow_instance WHERE space = ?",
  "DELETE FROM workspace WHERE key = ? AND state = 'closed'",
] as const;

export function retentionWrites(db: WriteConnection): RetentionWrites {
  const emptyStep = db.write("UPDATE step SET transcript = '', continues = 0 WHERE run = ? AND number = ?");
  const deleteCalls = db.write("DELETE FROM tool_call WHERE run = ? AND step = ?");
  const deleteReceipt = db.write("DELETE FROM receipt WHERE run = ?");
  const removePrompt = runInputRemover(db);
  const setRemoved = db.write("UPDATE run SET details_removed_at = ? WHERE id = ?");
  const deleteEvents = db.write("DELETE FROM event WHERE seq <= ?");
  const ofRun = OF_RUN.map((statement) => db.run(statement));
  const ofMessage = OF_MESSAGE.map((statement) => db.run(statement));
  const ofWorkspace = OF_WORKSPACE.map((statement) => db.run(statement));
  const deleteResources = db.write(
    `DELETE FROM resource WHERE NOT EXISTS (SELECT 1 FROM resource_space s WHERE s.resource = resource.id)`,
  );
  const selectKeys = db.all(
    "SELECT sender, key, message FROM idempotency WHERE (sender, key) > (?, ?) ORDER BY sender, key LIMIT +?",
  );
  const hasMessage = db.get("SELECT 1 FROM message WHERE id = ?");
  const deleteKey = db.write("DELETE FROM idempotency WHERE sender = ? AND key = ?");
  return {
    async removeStepDetails(run, step) {
      await emptyStep(run, step);
      await deleteCalls(run, step);
    },

    async finishDetails(run, at) {
      await deleteReceipt(run);
      await removePrompt(run, at);
      await setRemoved(at, run);
    },

    async removeEvents(upTo) {
      await deleteEvents(upTo);
    },

    async removeMessage(seq) {
      for (const remove of ofMessage) await remove(seq);
    },

    async removeRun(run, at) {
      await removePrompt(run, at);
      for (const remove of ofRun) await remove(run);
    },

    async removeWorkspace(key) {
      for (const remove of ofWorkspace) await remove(key);
      await deleteResources();
    },

    async removeKeysOfRemoved(after, limit) {
      const rows = await selectKeys(after?.sender ?? "", after?.key ?? "", limit);
      for (const { sender, key, message } of rows) {
        if ((await hasMessage(message as string)) === undefined) await deleteKey(sender as string, key as string);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) return null;
      return { sender: last["sender"] as string, key: last["key"] as string };
    },
  };
}
