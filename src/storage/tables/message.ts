import type { MessageKind } from "../../domain/message/message.ts";
import type { MessageReads, MessageRecord, MessageWrites } from "../../ports/store/message.ts";
import type { Connection, Value, WriteConnection } from "../connection.ts";

/** With a prefix, so that a delivery can be read together with its message. `toMessage` reads them in this order. */
export const MESSAGE_COLUMNS = `m.seq, m.id, m.space, m.sender, m.kind, m.addressee, m.body, m.resource, m.mentions,
  m.root, m.cause, m.depth, m.run, m.created_at, m.on_behalf_of`;

const SELECT = `SELECT ${MESSAGE_COLUMNS} FROM message m`;
const PAGE = `${SELECT} WHERE m.space = ? AND m.seq > ? AND m.seq < ?`;
const CONTAINS = "AND instr(lower(m.body), lower(?)) > 0";

export function messageReads(db: Connection): MessageReads {
  const selectById = db.lists(`${SELECT} WHERE m.id = ?`);
  const selectByKey = db.lists(`${SELECT} JOIN idempotency i ON m.id = i.message WHERE i.sender = ? AND i.key = ?`);
  const selectBegin = db.get("SELECT after_message FROM conversation WHERE agent = ?");
  const selectOldest = db.lists(`${PAGE} ORDER BY m.seq LIMIT +?`);
  const selectNewest = db.lists(`${PAGE} ORDER BY m.seq DESC LIMIT +?`);
  const findOldest = db.lists(`${PAGE} ${CONTAINS} ORDER BY m.seq LIMIT +?`);
  const findNewest = db.lists(`${PAGE} ${CONTAINS} ORDER BY m.seq DESC LIMIT +?`);
  const selectCount = db.get("SELECT count(*) AS messages FROM message WHERE space = ? AND seq > ?");
  // The messages of an earlier agent of the same name are not in a conversation any more.
  const selectFound = db.lists(
    `SELECT ${MESSAGE_COLUMNS} FROM (SELECT * FROM message WHERE seq < ? ORDER BY seq DESC LIMIT +?) AS m
     WHERE instr(lower(m.body), lower(?)) > 0
       AND m.seq > coalesce((SELECT after_message FROM conversation c WHERE c.agent = m.space), 0)
     ORDER BY m.seq DESC LIMIT +?`,
  );
  const selectFloor = db.get(
    "SELECT min(p.seq) AS floor, count(*) AS seen FROM (SELECT seq FROM message WHERE seq < ? ORDER BY seq DESC LIMIT +?) AS p",
  );
  const selectNew = db.get(
    `SELECT count(*) AS messages, coalesce(sum(CASE WHEN instr(lower(n.body), ?) > 0 THEN 1 ELSE 0 END), 0) AS mentions
     FROM (SELECT sender, body FROM message WHERE space = ? AND seq > ? ORDER BY seq LIMIT +?) AS n WHERE n.sender <> ?`,
  );
  const beginOf = async (space: string): Promise<number> =>
    space.startsWith("@") ? 0 : (((await selectBegin(space))?.["after_message"] ?? 0) as number);
  return {
    async byId(id) {
      return (await selectById(id)).map((row) => toMessage(row))[0];
    },

    async byIdempotencyKey(sender, key) {
      return (await selectByKey(sender, key)).map((row) => toMessage(row))[0];
    },

    async page({ space, after, before = Number.MAX_SAFE_INTEGER, contains, limit }) {
      const oldestFirst = after !== undefined;
      const begin = await beginOf(space);
      const bounds = [space, Math.max(after ?? 0, begin), before] as const;
      const rows =
        contains === undefined
          ? await (oldestFirst ? selectOldest : selectNewest)(...bounds, limit)
          : await (oldestFirst ? findOldest : findNewest)(...bounds, contains, limit);
      return (oldestFirst ? rows : rows.toReversed()).map((row) => toMessage(row));
    },

    async count(space) {
      return (await selectCount(space, await beginOf(space)))?.["messages"] as number;
    },

    async search({ contains, before = Number.MAX_SAFE_INTEGER, most, limit }) {
      const messages = (await selectFound(before, most, contains, limit)).map((row) => toMessage(row));
      const last = messages.at(-1);
      if (messages.length === limit && last !== undefined) return { messages, next: last.seq };
      const { floor, seen } = (await selectFloor(before, most)) ?? {};
      return { messages, next: seen === most ? (floor as number) : null };
    },

    async countNew({ space, after, reader, most }) {
      const begin = await beginOf(space);
      const row = await selectNew(`@${reader}`, space, Math.max(after, begin), most, reader);
      return { messages: row?.["messages"] as number, mentions: row?.["mentions"] as number };
    },
  };
}

export function messageWrites(db: WriteConnection): MessageWrites {
  const insertMessage = db.insert(
    `INSERT INTO message (id, space, sender, kind, addressee, body, resource, mentions, root, cause, depth, run,
       created_at, on_behalf_of)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertKey = db.write("INSERT INTO idempotency (sender, key, message) VALUES (?, ?, ?)");
  return {
    async append(message, idempotencyKey) {
      const seq = await insertMessage(
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
        message.onBehalfOf,
      );
      if (idempotencyKey !== null) await insertKey(message.sender, idempotencyKey, message.id);
      return seq;
    },
  };
}

/** `from` is where the columns of the message start in the row. */
export function toMessage(row: readonly Value[], from = 0): MessageRecord {
  const mentions = row[from + 8];
  const kind = row[from + 4] as MessageKind;
  const onBehalfOf = row[from + 14] as string | null;
  return {
    seq: row[from] as number,
    id: row[from + 1] as string,
    space: row[from + 2] as string,
    // Earlier versions stored the system as the sender of a person's kickoff.
    sender: (kind === "kickoff" ? onBehalfOf : null) ?? (row[from + 3] as string),
    kind,
    addressee: row[from + 5] as string | null,
    body: row[from + 6] as string,
    resource: row[from + 7] as string | null,
    mentions: mentions === "[]" ? [] : (JSON.parse(mentions as string) as string[]),
    root: row[from + 9] as string,
    cause: row[from + 10] as string | null,
    depth: row[from + 11] as number,
    run: row[from + 12] as string | null,
    createdAt: row[from + 13] as number,
    onBehalfOf,
  };
}
