import type { MessageKind } from "../../domain/message/message.ts";
import type { MessageReads, MessageRecord, MessageWrites } from "../../ports/store/message.ts";
import type { Connection, Row, WriteConnection } from "./driver.ts";

/** With a prefix, so that a delivery can be read together with its message. */
export const MESSAGE_COLUMNS = `m.seq, m.id, m.space, m.sender, m.kind, m.addressee, m.body, m.resource, m.mentions,
  m.root, m.cause, m.depth, m.run, m.created_at`;

const SELECT = `SELECT ${MESSAGE_COLUMNS} FROM message m`;
const PAGE = `${SELECT} WHERE m.space = ? AND m.seq > ? AND m.seq < ?`;
const CONTAINS = "AND instr(lower(m.body), lower(?)) > 0";

export function messageReads(db: Connection): MessageReads {
  const selectById = db.get(`${SELECT} WHERE m.id = ?`);
  const selectByKey = db.get(`${SELECT} JOIN idempotency i ON m.id = i.message WHERE i.sender = ? AND i.key = ?`);
  const selectOldest = db.all(`${PAGE} ORDER BY m.seq LIMIT +?`);
  const selectNewest = db.all(`${PAGE} ORDER BY m.seq DESC LIMIT +?`);
  const findOldest = db.all(`${PAGE} ${CONTAINS} ORDER BY m.seq LIMIT +?`);
  const findNewest = db.all(`${PAGE} ${CONTAINS} ORDER BY m.seq DESC LIMIT +?`);
  return {
    async byId(id) {
      const row = selectById(id);
      return row === undefined ? undefined : toMessage(row);
    },

    async byIdempotencyKey(sender, key) {
      const row = selectByKey(sender, key);
      return row === undefined ? undefined : toMessage(row);
    },

    async page({ space, after, before = Number.MAX_SAFE_INTEGER, contains, limit }) {
      const oldestFirst = after !== undefined;
      const bounds = [space, after ?? 0, before] as const;
      const rows =
        contains === undefined
          ? (oldestFirst ? selectOldest : selectNewest)(...bounds, limit)
          : (oldestFirst ? findOldest : findNewest)(...bounds, contains, limit);
      return (oldestFirst ? rows : rows.toReversed()).map(toMessage);
    },
  };
}

export function messageWrites(db: WriteConnection): MessageWrites {
  const insertMessage = db.insert(
    `INSERT INTO message (id, space, sender, kind, addressee, body, resource, mentions, root, cause, depth, run,
       created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertKey = db.run("INSERT INTO idempotency (sender, key, message) VALUES (?, ?, ?)");
  return {
    async append(message, idempotencyKey) {
      const seq = insertMessage(
        message.id,
        message.space,
        message.sender,
        message.kind,
        message.addressee,
        message.body,
        message.resource,
        message.mentions.length === 0 ? "[]" : JSON.stringify(message.mentions),
        message.root,
        message.cause,
        message.depth,
        message.run,
        message.createdAt,
      );
      if (idempotencyKey !== null) insertKey(message.sender, idempotencyKey, message.id);
      return seq;
    },
  };
}

export function toMessage(row: Row): MessageRecord {
  return {
    seq: row["seq"] as number,
    id: row["id"] as string,
    space: row["space"] as string,
    sender: row["sender"] as string,
    kind: row["kind"] as MessageKind,
    addressee: row["addressee"] as string | null,
    body: row["body"] as string,
    resource: row["resource"] as string | null,
    mentions: row["mentions"] === "[]" ? [] : (JSON.parse(row["mentions"] as string) as string[]),
    root: row["root"] as string,
    cause: row["cause"] as string | null,
    depth: row["depth"] as number,
    run: row["run"] as string | null,
    createdAt: row["created_at"] as number,
  };
}
