import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** The numbered files that make the schema. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const FOLDER = new URL("./migrations/", import.meta.url);
const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;

export function readMigrations(folder: URL = FOLDER): Migration[] {
  return readdirSync(folder)
    .toSorted()
    .map((file, index) => {
      const [, number, name] = FILE_NAME.exec(file) ?? [];
      if (name === undefined || Number(number) !== index + 1) throw new Error(`Unexpected migration file ${file}.`);
      const sql = readFileSync(new URL(file, folder), "utf8");
      return { number: index + 1, name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}
