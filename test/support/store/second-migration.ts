import { readMigrations, type Migration } from "../../../src/storage/sqlite/read-migrations.ts";

/** The program's own migrations and one of tomorrow, which touches every message. */
const tomorrow: Migration = {
  number: readMigrations().length + 1,
  name: "tomorrow",
  sql: `
    ALTER TABLE message ADD COLUMN words INTEGER NOT NULL DEFAULT 0;
    UPDATE message SET words = length(body), body = body || '!';
    CREATE TABLE tomorrow AS SELECT id, body FROM message;
    CREATE INDEX tomorrow_of_id ON tomorrow (id);
  `,
  checksum: "of-tomorrow",
};

export const upgraded: readonly Migration[] = [...readMigrations(), tomorrow];
