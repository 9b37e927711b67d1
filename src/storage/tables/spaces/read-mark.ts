import type { ReadMarkReads, ReadMarkWrites } from "../../../ports/store/spaces/read-mark.ts";
import type { Connection, WriteConnection } from "../../connection.ts";

export function readMarkReads(db: Connection): ReadMarkReads {
  const selectAll = db.all("SELECT space, read_to FROM read_mark WHERE person = ? ORDER BY space");
  return {
    async list(person) {
      return (await selectAll(person)).map((row) => ({ space: row["space"] as string, seq: row["read_to"] as number }));
    },
  };
}

export function readMarkWrites(db: WriteConnection): ReadMarkWrites {
  const upsert = db.write(
    `INSERT INTO read_mark (space, person, read_to) VALUES (?, ?, ?)
     ON CONFLICT (space, person) DO UPDATE SET read_to = excluded.read_to
       WHERE excluded.read_to > read_mark.read_to`,
  );
  const selectOne = db.get("SELECT read_to FROM read_mark WHERE space = ? AND person = ?");
  return {
    async advance(space, person, read_to) {
      await upsert(space, person, read_to);
      return (await selectOne(space, person))?.["read_to"] as number;
    },
  };
}
