import { statSync, type Stats } from "node:fs";
import { Fault } from "../../kernel/fault.ts";

/**
 * Returns why an open database must not be written to: its file or its log was deleted, moved or replaced. SQLite would
 * go on with the files that no path leads to any more, and everything it acknowledged would be gone with the process.
 * Undefined as long as the files are where they were opened, also when they were away meanwhile.
 */
export type FindAbsence = () => Fault | undefined;

/** Call it when the database is open. Each check is a look at two paths, of a few microseconds. */
export function watchFile(file: string): FindAbsence {
  const opened = statSync(file);
  const log = `${file}-wal`;
  let openedLog = statSync(log, { throwIfNoEntry: false });
  return () => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) {
      return gone(`The database ${file} was deleted or moved away`, "begin with an empty one");
    }
    if (!isSame(found, opened)) {
      return gone(`The database ${file} was replaced by another file`, "use the file that is there now");
    }
    const foundLog = statSync(log, { throwIfNoEntry: false });
    // SQLite creates it with the first write and keeps it until the database is closed.
    openedLog ??= foundLog;
    if (openedLog === undefined || (foundLog !== undefined && isSame(foundLog, openedLog))) return undefined;
    return new Fault(
      "database_gone",
      `The log of the database, ${log}, was deleted or replaced while it was in use: nothing is accepted any more.`,
      {
        hint: "Nothing is lost as long as the daemon runs. Let it write everything down: agent-worker doctor --reopen",
      },
    );
  };
}

function isSame(found: Stats, opened: Stats): boolean {
  return found.ino === opened.ino && found.dev === opened.dev;
}

function gone(what: string, otherwise: string): Fault {
  return new Fault("database_gone", `${what} while it was in use: nothing is accepted any more.`, {
    hint: `Put it back, and work goes on. Or ${otherwise}: agent-worker doctor --reopen`,
  });
}

/** For a store in memory. */
export const neverAbsent: FindAbsence = () => undefined;
