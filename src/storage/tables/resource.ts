import type { ResourceEncoding, ResourceReads, ResourceWrites } from "../../ports/store/resource.ts";
import type { Connection, WriteConnection } from "../connection.ts";

export function resourceReads(db: Connection): ResourceReads {
  const selectById = db.get("SELECT id, type, encoding, bytes, created_by, created_at FROM resource WHERE id = ?");
  const selectSpace = db.get("SELECT 1 FROM resource_space WHERE resource = ? AND space = ?");
  const selectContent = db.get("SELECT content FROM resource WHERE id = ?");
  return {
    async byId(id) {
      const row = await selectById(id);
      if (row === undefined) return undefined;
      return {
        id,
        type: row["type"] as string,
        encoding: row["encoding"] as ResourceEncoding,
        bytes: row["bytes"] as number,
        createdBy: row["created_by"] as string,
        createdAt: row["created_at"] as number,
      };
    },

    async inSpace(id, space) {
      return (await selectSpace(id, space)) !== undefined;
    },

    async content(id) {
      return (await selectContent(id))?.["content"] as string | undefined;
    },
  };
}

export function resourceWrites(db: WriteConnection): ResourceWrites {
  const insertResource = db.write(
    `INSERT INTO resource (id, type, encoding, bytes, content, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
  );
  const insertSpace = db.write("INSERT INTO resource_space (resource, space) VALUES (?, ?) ON CONFLICT DO NOTHING");
  return {
    async put({ id, type, encoding, bytes, createdBy, createdAt }, content, space) {
      await insertResource(id, type, encoding, bytes, content, createdBy, createdAt);
      await insertSpace(id, space);
    },
  };
}
