import type { BallotOutcome, BallotTerms } from "../../domain/ballot/ballot.ts";
import type { BallotEffect, BallotReads, BallotRecord, BallotWrites } from "../../ports/store/ballot.ts";
import type { Connection, Row, WriteConnection } from "../connection.ts";

export function ballotReads(db: Connection): BallotReads {
  const selectById = db.get("SELECT * FROM ballot WHERE id = ?");
  const selectAll = db.all("SELECT * FROM ballot WHERE space = ? ORDER BY seq DESC LIMIT +?");
  const selectInState = db.all("SELECT * FROM ballot WHERE space = ? AND state = ? ORDER BY seq DESC LIMIT +?");
  const selectVotes = db.all("SELECT voter, option, reason, at FROM vote WHERE ballot = ? ORDER BY seq");
  const selectDue = db.all("SELECT * FROM ballot WHERE state = 'open' AND expires_at <= ? ORDER BY expires_at, seq");
  const selectDueForReminder = db.all(
    `SELECT * FROM ballot WHERE state = 'open' AND reminded_at IS NULL AND (opened_at + expires_at) / 2 <= ?
     ORDER BY expires_at, seq`,
  );
  const countOpenIn = db.get("SELECT count(*) AS n FROM ballot WHERE space = ? AND state = 'open'");
  const unrecorded = "FROM ballot WHERE recorded = 0 AND state IN ('resolved', 'rejected', 'expired')";
  const selectUnrecorded = db.all(`SELECT * ${unrecorded} AND space = ? ORDER BY seq LIMIT +?`);
  const selectUnrecordedSpaces = db.all(`SELECT DISTINCT space ${unrecorded} ORDER BY space`);
  return {
    async byId(id) {
      const row = await selectById(id);
      return row === undefined ? undefined : toBallot(row);
    },

    async list({ space, state, limit }) {
      return (state === undefined ? await selectAll(space, limit) : await selectInState(space, state, limit)).map(
        toBallot,
      );
    },

    async votes(ballot) {
      return (await selectVotes(ballot)).map((row) => ({
        voter: row["voter"] as string,
        option: row["option"] as string,
        reason: row["reason"] as string | null,
        at: row["at"] as number,
      }));
    },

    async due(now) {
      return (await selectDue(now)).map(toBallot);
    },

    async dueForReminder(now) {
      return (await selectDueForReminder(now)).map(toBallot);
    },

    async countOpen(space) {
      return (await countOpenIn(space))?.["n"] as number;
    },

    async unrecorded(space, limit) {
      return (await selectUnrecorded(space, limit)).map(toBallot);
    },

    async spacesWithUnrecorded() {
      return (await selectUnrecordedSpaces()).map((row) => row["space"] as string);
    },
  };
}

export function ballotWrites(db: WriteConnection): BallotWrites {
  const insertBallot = db.write(
    `INSERT INTO ballot (id, space, title, terms, binding, state, outcome, effect, opened_at, expires_at, closed_at,
       announcement, reminded_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const deleteVote = db.write("DELETE FROM vote WHERE ballot = ? AND voter = ?");
  const insertVote = db.write("INSERT INTO vote (ballot, voter, option, reason, at) VALUES (?, ?, ?, ?, ?)");
  const closeBallot = db.run("UPDATE ballot SET state = ?, outcome = ?, closed_at = ? WHERE id = ? AND state = 'open'");
  const updateEffect = db.write("UPDATE ballot SET effect = ? WHERE id = ?");
  const updateReminded = db.write("UPDATE ballot SET reminded_at = ? WHERE id = ?");
  const updateRecorded = db.write("UPDATE ballot SET recorded = 1 WHERE id = ?");
  return {
    async open(ballot) {
      await insertBallot(
        ballot.id,
        ballot.space,
        ballot.title,
        JSON.stringify(ballot.terms),
        Number(ballot.binding),
        ballot.state,
        ballot.outcome === null ? null : JSON.stringify(ballot.outcome),
        ballot.effect === null ? null : JSON.stringify(ballot.effect),
        ballot.openedAt,
        ballot.expiresAt,
        ballot.closedAt,
        ballot.announcement,
        ballot.remindedAt,
      );
    },

    async vote(ballot, { voter, option, reason, at }) {
      await deleteVote(ballot, voter);
      await insertVote(ballot, voter, option, reason, at);
    },

    async close(id, { state, outcome, closedAt }) {
      return (await closeBallot(state, outcome === null ? null : JSON.stringify(outcome), closedAt, id)) === 1;
    },

    async setEffect(id, effect) {
      await updateEffect(JSON.stringify(effect), id);
    },

    async markReminded(id, at) {
      await updateReminded(at, id);
    },

    async markRecorded(id) {
      await updateRecorded(id);
    },
  };
}

function toBallot(row: Row): BallotRecord {
  return {
    id: row["id"] as string,
    space: row["space"] as string,
    title: row["title"] as string,
    terms: JSON.parse(row["terms"] as string) as BallotTerms,
    binding: row["binding"] === 1,
    state: row["state"] as BallotRecord["state"],
    outcome: row["outcome"] === null ? null : (JSON.parse(row["outcome"] as string) as BallotOutcome),
    effect: row["effect"] === null ? null : (JSON.parse(row["effect"] as string) as BallotEffect),
    openedAt: row["opened_at"] as number,
    expiresAt: row["expires_at"] as number,
    closedAt: row["closed_at"] as number | null,
    announcement: row["announcement"] as string | null,
    remindedAt: row["reminded_at"] as number | null,
  };
}
