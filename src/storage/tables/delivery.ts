import { LANES, type Lane } from "../../domain/delivery/lane.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import type { AckedBy, DeadOutcome, DeliveryState, DeliveryStatus } from "../../domain/delivery/state.ts";
import type {
  DeadLetterFilter,
  DeliveryReads,
  DeliveryRecord,
  DeliveryWithMessage,
  DeliveryWrites,
} from "../../ports/store/delivery.ts";
import type { Connection, Value, WriteConnection } from "../connection.ts";
import { MESSAGE_COLUMNS, toMessage } from "./message.ts";

const STATUSES: readonly DeliveryStatus[] = ["pending", "leased", "acked", "dead"];

/** `toDelivery` reads the columns in this order, then those of the message. */
const DELIVERY_COLUMNS = `d.seq, d.id, d.mailbox, d.lane, d.enqueued_at, d.state, d.attempts, d.preemptions,
  d.not_before, d.holder, d.run, d.reason, d.dead_outcome, d.awaited, d.agent`;
const MESSAGE_FROM = 15;
const DELIVERY = `SELECT ${DELIVERY_COLUMNS}, m.seq, m.id, m.space FROM delivery d JOIN message m ON m.seq = d.message`;
const WITH_MESSAGE = `SELECT ${DELIVERY_COLUMNS}, ${MESSAGE_COLUMNS} FROM delivery d JOIN message m ON m.seq = d.message`;

/** The parameters of `deadFilter`. The mailbox of an agent is its name, or its name and the workspace it is in. */
const DEAD_FILTER = `(d.space = ?1 OR ?1 IS NULL) AND (d.mailbox = ?2 OR substr(d.mailbox, 1, length(?3)) = ?3 OR ?2 IS NULL)
  AND (m.created_at >= ?4 OR ?4 IS NULL) AND (m.created_at < ?5 OR ?5 IS NULL)`;

function deadFilter({ space, agent, since, until }: DeadLetterFilter): Value[] {
  return [space ?? null, agent ?? null, agent === undefined ? null : `${agent}@`, since ?? null, until ?? null];
}

function isEmpty(filter: object): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/** Deliveries of a workspace that is closed or in setup are paused: none is leased. */
const ACTIVE = `NOT EXISTS (
  SELECT 1 FROM workspace w LEFT JOIN workflow_instance i ON i.space = w.key
  WHERE w.key = d.space AND (w.state = 'closed' OR i.phase = 'setup'))`;

/** One statement for all lanes, because each costs a round trip to a server. A lane alone finds its rows by an index. */
function ofEachLane(select: (lane: number) => string): string {
  return [...LANES.keys()].map((lane) => `SELECT * FROM (${select(lane)}) AS lane_${lane}`).join(" UNION ALL ");
}

export function deliveryReads(db: Connection): DeliveryReads {
  const selectById = db.lists(`${DELIVERY} WHERE d.id = ?`);
  const selectOfMessage = db.lists(`${DELIVERY} WHERE m.id = ? ORDER BY d.seq`);
  const selectSince = db.lists(`${DELIVERY} WHERE m.space = ? AND d.enqueued_at >= ? ORDER BY d.seq`);
  const selectInbox = db.lists(
    `${WITH_MESSAGE} WHERE d.space = ? AND d.mailbox = ? AND d.state < 2 ORDER BY d.lane, d.seq LIMIT +?`,
  );
  const selectInboxOf = db.lists(
    `${WITH_MESSAGE} WHERE d.space = ? AND d.mailbox = ? AND d.state < 2 AND d.agent IS ?
     ORDER BY d.lane, d.seq LIMIT +?`,
  );
  const selectHeads = db.lists(
    ofEachLane(
      (lane) => `${DELIVERY} WHERE d.mailbox = ?1 AND d.lane = ${lane} AND d.state = 0 AND d.not_before = 0
        AND d.preemptions = 0 AND ${ACTIVE} ORDER BY d.seq LIMIT 1`,
    ),
  );
  const selectReturned = db.lists(
    `${DELIVERY} WHERE d.mailbox = ? AND d.state = 0 AND (d.not_before > 0 OR d.preemptions > 0) AND d.not_before <= ?
     AND ${ACTIVE} ORDER BY d.seq`,
  );
  /** The spaces are one text, each between blanks: a space has none in its name. */
  const elsewhere = "instr(?2, ' ' || d.space || ' ') = 0";
  const selectHeadsElsewhere = db.lists(
    ofEachLane(
      (lane) => `${DELIVERY} WHERE d.mailbox = ?1 AND d.lane = ${lane} AND d.state = 0 AND d.not_before = 0
        AND d.preemptions = 0 AND ${elsewhere} AND ${ACTIVE} ORDER BY d.seq LIMIT 1`,
    ),
  );
  // "state < 2", and one lane at a time, let this query use the partial index of the inbox.
  const selectPending = db.lists(
    ofEachLane(
      (lane) => `${DELIVERY} WHERE d.space = ?1 AND d.mailbox = ?2 AND d.lane = ${lane} AND d.state < 2 AND d.state = 0
        AND d.not_before <= ?3 ORDER BY d.seq LIMIT +?4`,
    ),
  );
  const selectAnyPending = db.lists("SELECT 1 FROM delivery WHERE mailbox = ? AND state = 0 LIMIT 1");
  const selectOfRun = db.lists(`${DELIVERY} WHERE d.run = ? AND d.run IS NOT NULL AND d.state < 2 ORDER BY d.seq`);
  const selectNextDue = db.get(
    `SELECT min(d.not_before) AS due FROM delivery d WHERE d.mailbox = ? AND d.state = 0 AND d.not_before > +? AND ${ACTIVE}`,
  );
  // Each message of a person asks for those of its space: however many there are elsewhere, that costs nothing.
  const selectDeadIn = db.lists(`${WITH_MESSAGE} WHERE d.state = 3 AND d.space = ? ORDER BY d.seq DESC LIMIT +?`);
  // A dead letter of the other schema has no number here: then only its time counts.
  const selectDead = db.lists(
    `${WITH_MESSAGE} WHERE d.state = 3 AND ${DEAD_FILTER}
       AND d.seq < coalesce((SELECT b.seq FROM delivery b WHERE b.id = ?6), 9223372036854775807)
       AND m.created_at <= coalesce(?7, m.created_at)
     ORDER BY d.seq DESC LIMIT +?8`,
  );
  const countDeadOf = db.get(
    `SELECT count(*) AS n FROM delivery d JOIN message m ON m.seq = d.message WHERE d.state = 3 AND ${DEAD_FILTER}`,
  );
  const selectOpenIn = db.lists(
    `${WITH_MESSAGE} WHERE d.space = ? AND d.state < 2 ORDER BY d.mailbox, d.lane, d.seq LIMIT +?`,
  );
  // Leased deliveries are searched among the open ones: an index only for them would be written twice in every run.
  const selectAllLeased = db.lists(`${WITH_MESSAGE} WHERE d.state < 2 AND d.state = 1 LIMIT +?`);
  const selectAllPending = db.lists(`${WITH_MESSAGE} WHERE d.state = 0 ORDER BY d.mailbox, d.lane, d.seq LIMIT +?`);
  const countOpenIn = db.get("SELECT count(*) AS n FROM delivery WHERE space = ? AND state < 2");
  const countByLane = db.all(
    `SELECT mailbox, lane, sum(n) AS n
     FROM (SELECT mailbox, lane, space, count(*) AS n FROM delivery WHERE state < 2 GROUP BY mailbox, lane, space) AS each
     WHERE NOT EXISTS (SELECT 1 FROM workspace w WHERE w.key = each.space AND w.state = 'closed')
     GROUP BY mailbox, lane ORDER BY mailbox, lane`,
  );
  const countPending = db.get("SELECT count(*) AS n FROM delivery WHERE state = 0");
  const countDead = db.get("SELECT count(*) AS n FROM delivery WHERE state = 3");
  const countOpenEach = db.all(
    "SELECT mailbox, count(*) AS n FROM delivery WHERE space = ? AND state < 2 GROUP BY mailbox",
  );
  const countOpenEachAgent = db.all(
    "SELECT mailbox, agent, count(*) AS n FROM delivery WHERE space = ? AND state < 2 GROUP BY mailbox, agent",
  );
  const selectMailboxes = db.all(
    `SELECT DISTINCT d.mailbox FROM (SELECT DISTINCT mailbox, space FROM delivery WHERE state = 0) d
     WHERE ${ACTIVE} ORDER BY d.mailbox`,
  );
  // The plus keeps SQLite from scanning all deliveries because they are stored in this order.
  const selectLeased = db.lists(
    `${DELIVERY} WHERE d.state < 2 AND d.state = 1 AND d.holder IS NOT ? ORDER BY +d.seq LIMIT +?`,
  );
  return {
    async byIds(ids) {
      const found: DeliveryRecord[] = [];
      for (const id of ids) found.push(...(await selectById(id)).map(toDelivery));
      return found;
    },

    async ofMessage(message) {
      return (await selectOfMessage(message)).map(toDelivery);
    },

    async since(space, time) {
      return (await selectSince(space, time)).map(toDelivery);
    },

    async inbox({ mailbox, agent, space, limit }) {
      const rows =
        agent === undefined
          ? await selectInbox(space, mailbox, limit)
          : await selectInboxOf(space, mailbox, otherName(agent, mailbox), limit);
      return rows.map(toDeliveryWithMessage);
    },

    async heads(mailbox, now, except = NOWHERE) {
      const spaces = ` ${[...except].join(" ")} `;
      const [returned, heads] = await Promise.all([
        selectReturned(mailbox, now),
        except.size === 0 ? selectHeads(mailbox) : selectHeadsElsewhere(mailbox, spaces),
      ]);
      return [...heads.map(toDelivery), ...returned.map(toDelivery).filter(({ space }) => !except.has(space))];
    },

    async pending({ mailbox, space, now, limit }) {
      const found = (await selectPending(space, mailbox, now, limit)).map(toDelivery);
      return found.toSorted((a, b) => a.seq - b.seq).slice(0, limit);
    },

    async hasPending(mailbox) {
      return (await selectAnyPending(mailbox)).length > 0;
    },

    async ofRun(run) {
      return (await selectOfRun(run)).map(toDelivery);
    },

    async nextDue(mailbox, now) {
      return (await selectNextDue(mailbox, now))?.["due"] as number | null;
    },

    async dead({ before, limit, ...filter }) {
      const { space, ...more } = { ...filter, before };
      if (space !== undefined && isEmpty(more)) return (await selectDeadIn(space, limit)).map(toDeliveryWithMessage);
      const rows = await selectDead(...deadFilter(filter), before?.id ?? null, before?.createdAt ?? null, limit);
      return rows.map(toDeliveryWithMessage);
    },

    async countDead(filter) {
      return (isEmpty(filter) ? await countDead() : await countDeadOf(...deadFilter(filter)))?.["n"] as number;
    },

    async open({ space, limit }) {
      if (space !== undefined) return (await selectOpenIn(space, limit)).map(toDeliveryWithMessage);
      return [...(await selectAllLeased(limit)), ...(await selectAllPending(limit))]
        .slice(0, limit)
        .map(toDeliveryWithMessage);
    },

    async countOpen(space) {
      return (await countOpenIn(space))?.["n"] as number;
    },

    async countOpenByLane() {
      return (await countByLane()).map((row) => ({
        mailbox: row["mailbox"] as string,
        lane: LANES[row["lane"] as number] as Lane,
        count: row["n"] as number,
      }));
    },

    async countOpenByMailbox(space) {
      return new Map((await countOpenEach(space)).map((row) => [row["mailbox"] as string, row["n"] as number]));
    },

    async countOpenByAgent(space) {
      const counts = new Map<string, number>();
      for (const row of await countOpenEachAgent(space)) {
        const agent = (row["agent"] as string | null) ?? mailboxAgent(row["mailbox"] as string);
        counts.set(agent, (counts.get(agent) ?? 0) + (row["n"] as number));
      }
      return counts;
    },

    async backlog() {
      return { pending: (await countPending())?.["n"] as number, dead: (await countDead())?.["n"] as number };
    },

    async mailboxesWithPending() {
      return (await selectMailboxes()).map((row) => row["mailbox"] as string);
    },

    async leasedByOthers(leaseOwner, limit) {
      return (await selectLeased(leaseOwner, limit)).map(toDelivery);
    },
  };
}

export function deliveryWrites(db: WriteConnection): DeliveryWrites {
  const insertDelivery = db.write(
    `INSERT INTO delivery (id, message, space, mailbox, agent, lane, enqueued_at, awaited)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateDelivery = db.run(
    `UPDATE delivery SET state = ?, attempts = ?, preemptions = ?, not_before = ?, holder = ?, run = ?, reason = ?,
       dead_outcome = ?
     WHERE id = ? AND state = ? AND holder IS ?`,
  );
  const selectAddressee = db.lists("SELECT mailbox, agent FROM delivery WHERE id = ?");
  const updateMailbox = db.write("UPDATE delivery SET mailbox = ?, agent = ?, run = NULL WHERE id = ? AND state = 0");
  return {
    async add({ id, messageSeq, space, mailbox, agent, lane, enqueuedAt, awaited }) {
      const name = otherName(agent, mailbox);
      await insertDelivery(id, messageSeq, space, mailbox, name, LANES.indexOf(lane), enqueuedAt, Number(awaited));
    },

    async readdress(id, mailbox) {
      for (const [before, name] of await selectAddressee(id)) {
        const agent = (name as string | null) ?? mailboxAgent(before as string);
        await updateMailbox(mailbox, otherName(agent, mailbox), id);
      }
    },

    async advance(id, from, { state, leaseOwner, run }) {
      const changed = await updateDelivery(
        STATUSES.indexOf(state.status),
        state.attempts,
        state.preempted,
        state.status === "pending" ? (state.notBefore ?? 0) : 0,
        leaseOwner,
        run,
        reasonOf(state),
        state.status === "dead" ? state.outcome : null,
        id,
        STATUSES.indexOf(from.status),
        from.leaseOwner,
      );
      return changed === 1;
    },
  };
}

const NOWHERE: ReadonlySet<string> = new Set();

/** Returns the name of the agent where the mailbox does not say it already. */
export function otherName(agent: string, mailbox: string): string | null {
  return agent === mailboxAgent(mailbox) ? null : agent;
}

function toDelivery(row: readonly Value[]): DeliveryRecord {
  return {
    seq: row[0] as number,
    id: row[1] as string,
    message: row[MESSAGE_FROM + 1] as string,
    space: row[MESSAGE_FROM + 2] as string,
    mailbox: row[2] as string,
    agent: (row[14] as string | null) ?? mailboxAgent(row[2] as string),
    lane: LANES[row[3] as number] as Lane,
    enqueuedAt: row[4] as number,
    state: toState(row),
    leaseOwner: row[9] as string | null,
    run: row[10] as string | null,
    awaited: row[13] === 1,
  };
}

/** One column holds why it is dead or who acked it: a delivery is never both. */
function reasonOf(state: DeliveryState): string | null {
  if (state.status === "dead") return state.reason;
  return state.status === "acked" ? state.by : null;
}

function toState(row: readonly Value[]): DeliveryState {
  const attempts = row[6] as number;
  const preempted = row[7] as number;
  const status = STATUSES[row[5] as number];
  switch (status) {
    case "pending":
      return { status, attempts, preempted, notBefore: row[8] === 0 ? null : (row[8] as number) };
    case "acked":
      return { status, attempts, preempted, by: row[11] as AckedBy };
    case "dead":
      return { status, attempts, preempted, reason: row[11] as string, outcome: row[12] as DeadOutcome };
    default:
      return { status: "leased", attempts, preempted };
  }
}

function toDeliveryWithMessage(row: readonly Value[]): DeliveryWithMessage {
  return { delivery: toDelivery(row), message: toMessage(row, MESSAGE_FROM) };
}
