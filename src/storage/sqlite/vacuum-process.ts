import { openDatabase } from "./connection.ts";

/**
 * A process of its own: writes a database anew without its free pages. SQLite does it in one long call, during which this
 * process can do nothing else. SQLITE_TMPDIR is the folder of the copy that SQLite makes first.
 */
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("the database is not named");
const db = openDatabase(file);
db.exec("PRAGMA busy_timeout = 5000; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
db.close();
