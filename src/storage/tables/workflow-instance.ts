import type {
  KickoffText,
  WorkflowInstanceReads,
  WorkflowInstanceRecord,
  WorkflowInstanceWrites,
} from "../../ports/store/workflow-instance.ts";
import type { Connection, Row, WriteConnection } from "../connection.ts";

export function workflowInstanceReads(db: Connection): WorkflowInstanceReads {
  const selectRunning = db.all(
    `SELECT i.* FROM workflow_instance i JOIN workspace w ON w.key = i.space
     WHERE w.state = 'open' ORDER BY i.space`,
  );
  const selectBySpace = db.get("SELECT * FROM workflow_instance WHERE space = ?");
  return {
    async running() {
      return (await selectRunning()).map(toInstance);
    },

    async bySpace(space) {
      const row = await selectBySpace(space);
      return row === undefined ? undefined : toInstance(row);
    },
  };
}

export function workflowInstanceWrites(db: WriteConnection): WorkflowInstanceWrites {
  const replace = db.write(
    `INSERT INTO workflow_instance (space, phase, until_idle, kickoff, owner) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (space) DO UPDATE SET phase = excluded.phase, until_idle = excluded.until_idle,
       kickoff = excluded.kickoff, owner = excluded.owner`,
  );
  return {
    async save({ space, phase, untilIdle, kickoff, owner = null }) {
      const text = kickoff === undefined ? null : JSON.stringify(kickoff);
      await replace(space, phase, Number(untilIdle), text, owner);
    },
  };
}

function toInstance(row: Row): WorkflowInstanceRecord {
  return {
    space: row["space"] as string,
    phase: row["phase"] as WorkflowInstanceRecord["phase"],
    untilIdle: row["until_idle"] === 1,
    ...(row["owner"] === null ? {} : { owner: row["owner"] as string }),
    ...(row["kickoff"] === null ? {} : { kickoff: JSON.parse(row["kickoff"] as string) as KickoffText }),
  };
}
