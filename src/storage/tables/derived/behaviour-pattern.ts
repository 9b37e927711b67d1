import type { BehaviourPatternReads } from "../../../ports/store/derived/behaviour-pattern.ts";
import type { Connection } from "../../connection.ts";

/** More than the revisions of a document that are kept. */
const MOST_WRITES = 200;

export function behaviourPatternReads(db: Connection): BehaviourPatternReads {
  const selectWritten = db.all(
    `SELECT data ->> 'space' AS space, data ->> 'file' AS file, data ->> 'by' AS by FROM event
     WHERE type = 'document.written' ORDER BY seq DESC LIMIT +?`,
  );
  const selectWriters = db.all(
    `SELECT data ->> 'revision' AS revision, data ->> 'by' AS by FROM event
     WHERE type = 'document.written' AND data ->> 'space' = ? AND data ->> 'file' = ? ORDER BY seq DESC LIMIT +?`,
  );
  return {
    async documentsWritten(limit) {
      return (await selectWritten(limit)).map((row) => ({
        space: row["space"] as string,
        file: row["file"] as string,
        by: row["by"] as string,
      }));
    },
    async writersOf(space, file) {
      return (await selectWriters(space, file, MOST_WRITES)).map((row) => ({
        revision: row["revision"] as string,
        by: row["by"] as string,
      }));
    },
  };
}
