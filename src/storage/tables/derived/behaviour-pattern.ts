import type { BehaviourPatternReads } from "../../../ports/store/behaviour-pattern.ts";
import type { Connection } from "../../connection.ts";

export function behaviourPatternReads(db: Connection): BehaviourPatternReads {
  const selectWritten = db.all(
    `SELECT data ->> 'space' AS space, data ->> 'file' AS file, data ->> 'by' AS by FROM event
     WHERE type = 'document.written' ORDER BY seq DESC LIMIT +?`,
  );
  return {
    async documentsWritten(limit) {
      return (await selectWritten(limit)).map((row) => ({
        space: row["space"] as string,
        file: row["file"] as string,
        by: row["by"] as string,
      }));
    },
  };
}
