import type { ApprovalReads, ApprovalRecord, ApprovalWrites } from "../../ports/store/approval.ts";
import type { Connection, Row, WriteConnection } from "../connection.ts";

export function approvalReads(db: Connection): ApprovalReads {
  const selectById = db.get("SELECT * FROM approval WHERE id = ?");
  const selectOfRun = db.all("SELECT * FROM approval WHERE run = ? ORDER BY seq");
  const selectOfCall = db.all("SELECT * FROM approval WHERE run = ? AND call = ? ORDER BY seq");
  // Pending approvals have a separate index.
  const selectPending = db.all("SELECT * FROM approval WHERE state = 'pending' ORDER BY seq DESC LIMIT +?");
  const selectPendingIn = db.all(
    "SELECT * FROM approval WHERE state = 'pending' AND space = ? ORDER BY seq DESC LIMIT +?",
  );
  const selectAll = db.all("SELECT * FROM approval WHERE (state = +?1 OR ?1 IS NULL) ORDER BY seq DESC LIMIT +?2");
  const selectAllIn = db.all(
    "SELECT * FROM approval WHERE (state = +?1 OR ?1 IS NULL) AND space = ?2 ORDER BY seq DESC LIMIT +?3",
  );
  const countPendingIn = db.get("SELECT count(*) AS n FROM approval WHERE state = 'pending' AND space = ?");
  return {
    async byId(id) {
      const row = await selectById(id);
      return row === undefined ? undefined : toApproval(row);
    },

    async ofRun(run, call) {
      return (call === undefined ? await selectOfRun(run) : await selectOfCall(run, call)).map(toApproval);
    },

    async list({ space, state = null, limit }) {
      if (state === "pending") {
        return (space === undefined ? await selectPending(limit) : await selectPendingIn(space, limit)).map(toApproval);
      }
      const rows = space === undefined ? await selectAll(state, limit) : await selectAllIn(state, space, limit);
      return rows.map(toApproval);
    },

    async countPending(space) {
      return (await countPendingIn(space))?.["n"] as number;
    },
  };
}

export function approvalWrites(db: WriteConnection): ApprovalWrites {
  const insertApproval = db.write(
    `INSERT INTO approval (id, space, agent, run, call, digest, tool, args, state, reason, decided_by, requested_at,
       decided_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const decideApproval = db.run(
    "UPDATE approval SET state = ?, reason = ?, decided_by = ?, decided_at = ? WHERE id = ? AND state = 'pending'",
  );
  return {
    async request(approval) {
      await insertApproval(
        approval.id,
        approval.space,
        approval.agent,
        approval.run,
        approval.call,
        approval.digest,
        approval.tool,
        approval.args,
        approval.state,
        approval.reason,
        approval.decidedBy,
        approval.requestedAt,
        approval.decidedAt,
      );
    },

    async decide(id, { state, reason, decidedBy, decidedAt }) {
      return (await decideApproval(state, reason, decidedBy, decidedAt, id)) === 1;
    },
  };
}

function toApproval(row: Row): ApprovalRecord {
  return {
    id: row["id"] as string,
    space: row["space"] as string,
    agent: row["agent"] as string,
    run: row["run"] as string,
    call: row["call"] as string,
    digest: row["digest"] as string,
    tool: row["tool"] as string,
    args: row["args"] as string,
    state: row["state"] as ApprovalRecord["state"],
    reason: row["reason"] as string | null,
    decidedBy: row["decided_by"] as string | null,
    requestedAt: row["requested_at"] as number,
    decidedAt: row["decided_at"] as number | null,
  };
}
