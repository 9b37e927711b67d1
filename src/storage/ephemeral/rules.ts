import { addTotals, type UsageTotal } from "../../domain/budget/usage.ts";
import type { CausalTree } from "../../domain/causal/budget.ts";
import { pickNext } from "../../domain/delivery/aging.ts";
import { compareLanes } from "../../domain/delivery/lane.ts";
import { laneAt, waiting } from "../../domain/delivery/waiting.ts";
import type { EventCursor } from "../../domain/event.ts";
import { earlierKey } from "../../domain/workspace/instance.ts";
import type { DeliveryRecord, DeliveryWithMessage, LaneCount } from "../../ports/store/delivery.ts";
import type { FeedbackRecord } from "../../ports/store/feedback.ts";
import type { GuardUsage } from "../../ports/store/guard-use.ts";
import type { DayUsage } from "../../ports/store/usage.ts";
import type { StepRecord } from "../../ports/store/run.ts";
import type { WriteTables } from "../tables.ts";
import { both, byRow, bySpace, firstFound, hasSpace, listBySpace, merge, type Rules } from "./combinators.ts";

/** Aggregates without a space, or that remain after a workspace. Only the durable schema has them. */
export type DurableOnly =
  | "schedules"
  | "soulProposals"
  | "memories"
  | "stops"
  | "retention"
  | "nodes"
  | "personalFiles"
  | "appendEvent";

/** How many earlier instances of a workspace in memory are kept. */
const EARLIER = 5;

type Placed = { readonly space: string };
const spaceOf = ([{ space }]: readonly [Placed, ...unknown[]]): string => space;
const first = ([id]: readonly [string, ...unknown[]]): string => id;
const second = ([, space]: readonly [unknown, string]): string => space;
const third = ([, , space]: readonly [unknown, unknown, string]): string => space;

export const RULES: { readonly [Name in Exclude<keyof WriteTables, DurableOnly>]: Rules<WriteTables[Name]> } = {
  messages: {
    byId: firstFound,
    byIdempotencyKey: firstFound,
    page: bySpace(spaceOf),
    count: bySpace(first),
    // The sequence numbers of both cannot be compared: what is in memory is found first, and once.
    search: (durable, ephemeral) => async (search) => {
      const found = await durable(search);
      if (search.before !== undefined) return found;
      const more = await ephemeral(search);
      return { messages: [...more.messages, ...found.messages], next: found.next };
    },
    countNew: bySpace(spaceOf),
    append: bySpace(spaceOf),
  },
  deliveries: {
    byIds: both((durable, ephemeral, [ids]) => {
      const found = new Map([...durable, ...ephemeral].map((delivery) => [delivery.id, delivery]));
      return ids.flatMap((id) => found.get(id) ?? []);
    }),
    ofMessage: both(concat),
    since: bySpace(first),
    inbox: bySpace(spaceOf),
    heads: both((durable, ephemeral, [, now]) => moreUrgent(durable, ephemeral, now)),
    pending: bySpace(spaceOf),
    hasPending: both((durable, ephemeral) => durable || ephemeral),
    ofRun: both(concat),
    nextDue: both(least),
    // Also those of an ephemeral agent that was deleted: its name means the space on disk from then on.
    dead: (durable, ephemeral, rows) => async (query) => {
      if (query.space?.startsWith("@") === true)
        return ((await hasSpace(rows, query.space)) ? ephemeral : durable)(query);
      const join = newest<DeliveryWithMessage>(({ message }) => message.createdAt);
      return join(await durable(query), await ephemeral(query)).slice(0, query.limit);
    },
    countDead: both((durable, ephemeral) => durable + ephemeral),
    open: listBySpace(concat),
    countOpen: bySpace(first),
    countOpenByMailbox: bySpace(first),
    countOpenByAgent: bySpace(first),
    countOpenByLane: both((durable, ephemeral) => addCounts([...durable, ...ephemeral])),
    backlog: both((a, b) => ({ pending: a.pending + b.pending, dead: a.dead + b.dead })),
    mailboxesWithPending: both(union),
    leasedByOthers: both((durable, ephemeral, [, limit]) => [...durable, ...ephemeral].slice(0, limit)),
    add: bySpace(spaceOf),
    readdress: byRow("delivery", first),
    advance: byRow("delivery", first),
  },
  runs: {
    byId: firstFound,
    openOf: firstFound,
    unfinished: both((durable, ephemeral) => merge(durable, ephemeral, (b, a) => b.id < a.id)),
    lastActive: both(greatest),
    lastStep: byRow("run", first),
    transcript: byRow("run", first),
    lastTranscript: bySpace(spaceOf),
    usage: both(addTotals),
    countStarting: both((durable, ephemeral) => durable + ephemeral),
    open: bySpace(spaceOf),
    move: byRow("run", first),
    markSpoke: byRow("run", first),
    setModel: byRow("run", first),
    checkpoint: byRow("run", ([{ run }]: readonly [StepRecord]) => run),
    end: byRow("run", first),
  },
  history: {
    list: listBySpace((durable, ephemeral) => merge(durable, ephemeral, (b, a) => b.id > a.id)),
    steps: byRow("run", first),
    receipt: byRow("run", first),
    prompt: byRow("run", first),
    detailsRemovedAt: byRow("run", first),
    storeCalls: byRow("run", first),
    storeReceipt: byRow("run", first),
    storePrompt: byRow("run", first),
  },
  workspaces: {
    byKey: bySpace(first),
    status: bySpace(first),
    list: both(concat),
    within: both(concat),
    participant: bySpace(first),
    participants: bySpace(first),
    roster: bySpace(first),
    member: bySpace(first),
    workspacesOf: both(union),
    // The provider decides where the space is from now on. Its rows on disk stay; its rows in memory are deleted.
    open: (durable, ephemeral, rows) => async (workspace) => {
      if (workspace.provider === "memory") return ephemeral(workspace);
      if (await rows.has("workspace", workspace.key)) await rows.deleteSpace(workspace.key);
      return durable(workspace);
    },
    close: bySpace(first),
    earlier: both((durable, ephemeral) => [...durable, ...ephemeral].toSorted((a, b) => b.instance - a.instance)),
    // Some aggregates of a workspace in memory are on disk, so rows of it are in both.
    setAside: (durable, ephemeral, rows) => async (workspace) => {
      if (await rows.has("workspace", workspace.key))
        await rows.deleteSpace(earlierKey(workspace.key, workspace.instance - EARLIER));
      await durable(workspace);
      return ephemeral(workspace);
    },
    setDocumentOwner: bySpace(first),
    setOwnerSetting: bySpace(first),
    setParticipants: bySpace(first),
    setStatus: bySpace(first),
    setRole: bySpace(first),
  },
  readMarks: { list: both(concat), advance: bySpace(first) },
  instances: { running: both(concat), bySpace: bySpace(first), save: bySpace(spaceOf) },
  ballots: {
    byId: firstFound,
    list: bySpace(spaceOf),
    votes: byRow("ballot", first),
    due: both(concat),
    dueForReminder: both(concat),
    countOpen: bySpace(first),
    unrecorded: bySpace(first),
    spacesWithUnrecorded: both(union),
    open: bySpace(spaceOf),
    vote: byRow("ballot", first),
    close: byRow("ballot", first),
    setEffect: byRow("ballot", first),
    markReminded: byRow("ballot", first),
    markRecorded: byRow("ballot", first),
  },
  resources: {
    byId: firstFound,
    inSpace: bySpace(second),
    content: firstFound,
    put: bySpace(third),
  },
  causal: { tree: byRow("message", first), save: byRow("message", ([{ root }]: readonly [CausalTree]) => root) },
  conversations: {
    recorded: bySpace(first),
    behind: (durable) => durable,
    setRecorded: bySpace(first),
    begin: bySpace(first),
    clearedAt: bySpace(first),
    setCleared: bySpace(first),
    place: (_durable, ephemeral) => ephemeral,
    promote: (_durable, _ephemeral, rows) => async (agent, name) => {
      if (await rows.has("conversation", agent)) await rows.promote(agent, name);
    },
  },
  approvals: {
    byId: firstFound,
    ofRun: byRow("run", first),
    list: listBySpace(newest(({ requestedAt }) => requestedAt)),
    countPending: bySpace(first),
    request: bySpace(spaceOf),
    decide: byRow("approval", first),
  },
  callAnswers: {
    find: byRow("run", first),
    storeAnswer: byRow("run", first),
    storeChange: byRow("run", first),
    forget: byRow("run", first),
  },
  suggestions: {
    byId: firstFound,
    open: bySpace(spaceOf),
    add: bySpace(spaceOf),
    decide: byRow("suggestion", first),
  },
  feedback: {
    list: both((durable, ephemeral, [limit]) =>
      newest<FeedbackRecord>(({ createdAt }) => createdAt)(durable, ephemeral).slice(0, limit),
    ),
    add: bySpace(spaceOf),
  },
  grants: { inSpace: bySpace(first), of: bySpace(first), replace: bySpace(first) },
  rules: {
    byId: firstFound,
    list: (durable, ephemeral, rows) => async (space) => {
      if (space !== undefined) return ((await hasSpace(rows, space)) ? ephemeral : durable)(space);
      return concat(await durable(), await ephemeral());
    },
    active: both(concat),
    seen: both(addCursors),
    add: bySpace(spaceOf),
    remove: byRow("rule", first),
    progress: byRow("rule", first),
    markSeen: both(() => {}),
    pause: bySpace(first),
    resume: bySpace(first),
  },
  ownProposalStates: { find: bySpace(first), store: bySpace(first) },
  usage: {
    ofDay: both(addTotals),
    sinceOpening: bySpace(first),
    by: both((durable, ephemeral) => addByKey([...durable, ...ephemeral])),
    history: both((durable, ephemeral) => addByDay([...durable, ...ephemeral])),
    unpriced: both(concat),
    add: bySpace(spaceOf),
    price: byRow("run", first),
  },
  summaries: {
    cover: bySpace(first),
    last: bySpace(first),
    ofLevel: bySpace(spaceOf),
    failed: bySpace(first),
    put: bySpace(spaceOf),
    removeFrom: bySpace(first),
  },
  guardUses: {
    ofRun: byRow("run", first),
    latest: both((durable, ephemeral, [limit]) =>
      [...durable, ...ephemeral].toSorted((a, b) => b.at - a.at).slice(0, limit),
    ),
    tokensOfDay: both((durable, ephemeral) => durable + ephemeral),
    totals: both((durable, ephemeral) => addGuardUsage([...durable, ...ephemeral])),
    add: bySpace(spaceOf),
  },
  behaviourPatterns: {
    documentsWritten: both((durable, ephemeral, [limit]) => [...ephemeral, ...durable].slice(0, limit)),
    writersOf: bySpace(first),
  },
  events: {
    after: (durable, ephemeral) => async (cursor, limit, until) => {
      const first = await durable(cursor, limit, until);
      const second = await ephemeral(first.cursor, limit - first.events.length, until);
      return { events: [...first.events, ...second.events], cursor: second.cursor };
    },
    last: both(addCursors),
  },
};

function concat<T>(durable: readonly T[], ephemeral: readonly T[]): T[] {
  return [...durable, ...ephemeral];
}

function union(durable: readonly string[], ephemeral: readonly string[]): string[] {
  return [...new Set([...durable, ...ephemeral])].toSorted();
}

function least(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function greatest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/** Each schema counts its own part; the other part is 0. */
function addCursors(a: EventCursor, b: EventCursor): EventCursor {
  return { durable: a.durable + b.durable, ephemeral: a.ephemeral + b.ephemeral };
}

function newest<T>(timeOf: (row: T) => number): (durable: T[], ephemeral: T[]) => T[] {
  return (durable, ephemeral) => merge(durable, ephemeral, (b, a) => timeOf(b) > timeOf(a));
}

/** Returns the candidates of the schema whose next delivery is more urgent, or else waits longer. */
function moreUrgent(durable: DeliveryRecord[], ephemeral: DeliveryRecord[], now: number): DeliveryRecord[] {
  const next = pickNext(durable.map(waiting), now);
  const other = pickNext(ephemeral.map(waiting), now);
  if (next === undefined || other === undefined) return next === undefined ? ephemeral : durable;
  const difference = compareLanes(laneAt(next.delivery, now), laneAt(other.delivery, now));
  return (difference || next.waitingSince - other.waitingSince) <= 0 ? durable : ephemeral;
}

function addCounts(counts: readonly LaneCount[]): LaneCount[] {
  const groups = Map.groupBy(counts, ({ mailbox, lane }) => `${mailbox} ${lane}`);
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((first) => ({ ...first, count: group.reduce((total, { count }) => total + count, 0) })),
  );
}

function addByKey(rows: readonly { readonly key: string; readonly total: UsageTotal }[]) {
  const groups = [...Map.groupBy(rows, ({ key }) => key)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([key, group]) => ({ key, total: group.map(({ total }) => total).reduce(addTotals) }));
}

function addByDay(rows: readonly DayUsage[]): DayUsage[] {
  const groups = [...Map.groupBy(rows, ({ day, key }) => `${day} ${key}`)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return groups.flatMap(([, group]) =>
    group.slice(0, 1).map((each) => ({ ...each, total: group.map(({ total }) => total).reduce(addTotals) })),
  );
}

function addGuardUsage(rows: readonly GuardUsage[]): GuardUsage[] {
  const groups = [...Map.groupBy(rows, ({ mailbox, purpose }) => `${mailbox} ${purpose}`)];
  return groups
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => {
      const sum = (of: (row: GuardUsage) => number): number => group.reduce((total, row) => total + of(row), 0);
      return group.slice(0, 1).map(({ mailbox, purpose }) => ({
        mailbox,
        purpose,
        asked: sum(({ asked }) => asked),
        unanswered: sum(({ unanswered }) => unanswered),
        wallMs: sum(({ wallMs }) => wallMs),
        inputTokens: sum(({ inputTokens }) => inputTokens),
        outputTokens: sum(({ outputTokens }) => outputTokens),
        knownUsd: sum(({ knownUsd }) => knownUsd),
        unknownCosts: sum(({ unknownCosts }) => unknownCosts),
      }));
    });
}
