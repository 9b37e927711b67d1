/** Upgrades the database named by its argument, to be killed while it does. */
import { openDatabase } from "../../../src/storage/sqlite/connection.ts";
import { migrate } from "../../../src/storage/sqlite/migrate.ts";
import { upgraded } from "../store/second-migration.ts";

const [file = ""] = process.argv.slice(2);
const db = openDatabase(file);
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
console.log("started");
migrate(db, { file, now: 0, migrations: upgraded });
console.log("migrated");
db.close();
