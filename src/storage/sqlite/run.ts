import { LANES, type Lane } from "../../domain/delivery/lane.ts";
import type { RunReads, RunRecord, RunWrites } from "../../ports/store/run.ts";
import type { Connection, Row, WriteConnection } from "./driver.ts";

export function runReads(db: Connection): RunReads {
  const selectById = db.get("SELECT * FROM run WHERE id = ?");
  const selectUnfinished = db.all("SELECT * FROM run WHERE state <> 'ended' ORDER BY seq");
  const selectLastStep = db.get("SELECT * FROM step WHERE run = ? ORDER BY number DESC LIMIT 1");
  const selectLast = db.all("SELECT * FROM run WHERE mailbox = ? ORDER BY id DESC LIMIT +?");
  return {
    async byId(id) {
      const row = selectById(id);
      return row === undefined ? undefined : toRun(row);
    },

    async unfinished() {
      return selectUnfinished().map(toRun);
    },

    async lastOutcomes(mailbox, limit) {
      return selectLast(mailbox, limit).map((row) => toRun(row).outcome);
    },

    async lastActive(mailbox) {
      const [last] = selectLast(mailbox, 1).map(toRun);
      return last === undefined ? null : (last.endedAt ?? last.startedAt);
    },

    async lastStep(run) {
      const row = selectLastStep(run);
      if (row === undefined) return undefined;
      return {
        run,
        number: row["number"] as number,
        transcript: row["transcript"] as string,
        finishedAt: row["finished_at"] as number,
      };
    },
  };
}

export function runWrites(db: WriteConnection): RunWrites {
  const insertRun = db.run(
    `INSERT INTO run (id, mailbox, space, lane, state, holder, cause, spoke, recoveries, started_at, ended_at, outcome,
       detail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const moveRun = db.run("UPDATE run SET state = ?, lane = ?, holder = ?, recoveries = ? WHERE id = ? AND state <> 'ended'");
  const setSpoke = db.run("UPDATE run SET spoke = 1 WHERE id = ?");
  const insertStep = db.run("INSERT INTO step (run, number, transcript, finished_at) VALUES (?, ?, ?, ?)");
  const forgetRecoveries = db.run("UPDATE run SET recoveries = 0 WHERE id = ? AND recoveries > 0");
  const endRun = db.run(
    "UPDATE run SET state = 'ended', ended_at = ?, outcome = ?, detail = ? WHERE id = ? AND state <> 'ended'",
  );
  return {
    async open(run) {
      insertRun(
        run.id,
        run.mailbox,
        run.space,
        LANES.indexOf(run.lane),
        run.state,
        run.holder,
        run.cause,
        Number(run.spoke),
        run.recoveries,
        run.startedAt,
        run.endedAt,
        run.outcome,
        run.detail,
      );
    },

    async move(id, { state, lane, holder, recoveries }) {
      return moveRun(state, LANES.indexOf(lane), holder, recoveries, id) === 1;
    },

    async markSpoke(id) {
      setSpoke(id);
    },

    async checkpoint(step) {
      insertStep(step.run, step.number, step.transcript, step.finishedAt);
      forgetRecoveries(step.run);
    },

    async end(id, { endedAt, outcome, detail }) {
      return endRun(endedAt, outcome, detail, id) === 1;
    },
  };
}

function toRun(row: Row): RunRecord {
  return {
    id: row["id"] as string,
    mailbox: row["mailbox"] as string,
    space: row["space"] as string,
    lane: LANES[row["lane"] as number] as Lane,
    state: row["state"] as RunRecord["state"],
    holder: row["holder"] as string,
    cause: row["cause"] as string,
    spoke: row["spoke"] === 1,
    recoveries: row["recoveries"] as number,
    startedAt: row["started_at"] as number,
    endedAt: row["ended_at"] as number | null,
    outcome: row["outcome"] as RunRecord["outcome"],
    detail: row["detail"] as string | null,
  };
}
