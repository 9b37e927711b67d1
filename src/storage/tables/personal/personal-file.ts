import { createHash } from "node:crypto";
import type { PersonalFileReads, PersonalFileRecord, PersonalFileWrites } from "../../../ports/store/personal-file.ts";
import type { Connection, Row, WriteConnection } from "../../connection.ts";

const FACTS = "agent, folder, name, id, bytes, stamp, modified_at";

export function personalFileReads(db: Connection): PersonalFileReads {
  const selectFolder = db.all(`SELECT ${FACTS} FROM personal_file WHERE agent = ? AND folder = ? ORDER BY name`);
  const selectAll = db.all(`SELECT ${FACTS} FROM personal_file ORDER BY agent, folder, name`);
  const selectOne = db.get(`SELECT ${FACTS}, content FROM personal_file WHERE agent = ? AND folder = ? AND name = ?`);
  return {
    list: async (agent, folder) => (await selectFolder(agent, folder)).map(toRecord),
    all: async () => (await selectAll()).map(toRecord),
    async find({ agent, folder, name }) {
      const row = await selectOne(agent, folder, name);
      return row === undefined ? undefined : { ...toRecord(row), content: row["content"] as string };
    },
  };
}

export function personalFileWrites(db: WriteConnection): PersonalFileWrites {
  const upsert = db.write(
    `INSERT INTO personal_file (agent, folder, name, id, content, bytes, stamp, modified_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (agent, folder, name) DO UPDATE SET content = excluded.content, bytes = excluded.bytes,
       stamp = excluded.stamp, modified_at = excluded.modified_at`,
  );
  const rename = db.write("UPDATE personal_file SET folder = ?, name = ? WHERE agent = ? AND folder = ? AND name = ?");
  const deleteOne = db.write("DELETE FROM personal_file WHERE agent = ? AND folder = ? AND name = ?");
  const deleteAll = db.write("DELETE FROM personal_file WHERE agent = ?");
  return {
    async put({ agent, folder, name }, content, { id, at }) {
      const stamp = createHash("sha256").update(content).digest("base64url");
      await upsert(agent, folder, name, id, content, Buffer.byteLength(content), stamp, at);
    },
    async move({ agent, folder, name }, to) {
      await rename(to.folder, to.name, agent, folder, name);
    },
    async remove({ agent, folder, name }) {
      await deleteOne(agent, folder, name);
    },
    async removeAll(agent) {
      await deleteAll(agent);
    },
  };
}

function toRecord(row: Row): PersonalFileRecord {
  return {
    agent: row["agent"] as string,
    folder: row["folder"] as string,
    name: row["name"] as string,
    id: row["id"] as string,
    bytes: row["bytes"] as number,
    stamp: row["stamp"] as string,
    modifiedAt: row["modified_at"] as number,
  };
}
