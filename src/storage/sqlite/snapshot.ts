import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { createPrivateFile } from "../../files/private-file.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Database } from "./connection.ts";

/**
 * Copies an open database into one file. SQLite neither flushes the copy nor removes a half-written one, so it is
 * written under another name and renamed when it is on disk: the final file is always complete. Only its owner can read
 * it, as the database.
 */
export function snapshot(db: Database, file: string): void {
  if (existsSync(file)) {
    throw new Fault("file_unwritable", `There is a file ${file} already.`, { hint: "Choose another name." });
  }
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  try {
    createPrivateFile(partial);
    db.prepare("VACUUM INTO ?").run(partial);
    flush(partial);
    renameSync(partial, file);
    flush(dirname(file));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function flush(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
