import type {
  WorkflowInstanceReads,
  WorkflowInstanceRecord,
  WorkflowInstanceWrites,
} from "../../../ports/store/workflow-instance.ts";
import type { Connection, WriteConnection } from "../connection.ts";

export function workflowInstanceReads(db: Connection): WorkflowInstanceReads {
  const selectRunning = db.all(
    `SELECT i.space, i.phase, i.until_idle FROM workflow_instance i JOIN workspace w ON w.key = i.space
     WHERE w.state = 'open' ORDER BY i.space`,
  );
  return {
    async running() {
      return selectRunning().map((row) => ({
        space: row["space"] as string,
        phase: row["phase"] as WorkflowInstanceRecord["phase"],
        untilIdle: row["until_idle"] === 1,
      }));
    },
  };
}

export function workflowInstanceWrites(db: WriteConnection): WorkflowInstanceWrites {
  const replace = db.run("INSERT OR REPLACE INTO workflow_instance (space, phase, until_idle) VALUES (?, ?, ?)");
  return {
    async save({ space, phase, untilIdle }) {
      replace(space, phase, Number(untilIdle));
    },
  };
}
