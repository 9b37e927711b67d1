import { statSync } from "node:fs";
import { Fault } from "../../kernel/fault.ts";

/**
 * Returns why an open database must not be written to: its file was deleted, moved or replaced. SQLite would go on with
 * the file that no path leads to any more, and everything it acknowledged would be gone with the process. Undefined as
 * long as the file is where it was opened, also when it was away meanwhile.
 */
export type FindAbsence = () => Fault | undefined;

/** Call it when the database is open. Each check is one look at the path, of a few microseconds. */
export function watchFile(file: string): FindAbsence {
  const opened = statSync(file);
  return () => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) {
      return new Fault(
        "database_gone",
        `The database ${file} was deleted or moved away while it was in use: nothing is accepted any more.`,
        { hint: "Put it back, and work goes on. Or begin with an empty one: agent-worker doctor --reopen" },
      );
    }
    if (found.ino === opened.ino && found.dev === opened.dev) return undefined;
    return new Fault(
      "database_gone",
      `The database ${file} was replaced by another file while it was in use: nothing is accepted any more.`,
      { hint: "Put it back, and work goes on. Or use the file that is there now: agent-worker doctor --reopen" },
    );
  };
}

/** For a store in memory. */
export const neverAbsent: FindAbsence = () => undefined;
