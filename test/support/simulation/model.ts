import type { CausalLimits } from "../../../src/domain/causal/budget.ts";
import { effectiveLane, pickNext } from "../../../src/domain/delivery/aging.ts";
import { LANES, type Lane } from "../../../src/domain/delivery/lane.ts";
import type { DeliveryStatus } from "../../../src/domain/delivery/state.ts";
import type { RunOutcome } from "../../../src/domain/outcome.ts";
import type { MessageRecord } from "../../../src/ports/store/message.ts";
import { must } from "./broken.ts";
import type { TransactionRecord } from "./transaction-record.ts";

const WAIT_PER_PROMOTION_MS = 5 * 60_000;

/**
 * What ought to be true, kept as plain objects. Every transaction is predicted from it (`expect-*.ts`), compared with
 * what the transaction wrote, and then taken over. It looks for work by going through all there is, so it shares no
 * index, no query and no shortcut with the store.
 */
export interface Letter {
  readonly id: string;
  readonly seq: number;
  readonly message: MessageRecord;
  readonly mailbox: string;
  readonly lane: Lane;
  readonly enqueuedAt: number;
  /** Its sender waits for the answer: it is answered alone. */
  readonly awaited: boolean;
  /** It is dead because of a limit. */
  limited: boolean;
  status: DeliveryStatus;
  notBefore: number | null;
  attempts: number;
  preempted: number;
  run: ModelRun | null;
  /** How often it left the open states; after each of them but the last, a person revived it. */
  settled: number;
  revived: number;
}

export interface ModelRun {
  readonly id: string;
  /** Order of opening. */
  readonly order: number;
  readonly mailbox: string;
  readonly space: string;
  readonly cause: string;
  lane: Lane;
  leaseOwner: string;
  /** The number of its last claim. */
  fence: number;
  state: "open" | "parked" | "ended";
  steps: number;
  spoke: boolean;
  recoveries: number;
  outcome: RunOutcome | null;
  /** Until then its provider must not be asked; null when it does not wait for that. */
  heldUntil: number | null;
  /** Messages it said, by tool or as its reply. */
  said: number;
  replies: number;
}

export interface ModelTree {
  turns: number;
  messages: number;
  maxDepth: number;
  tripped: boolean;
}

export interface ModelBallot {
  readonly id: string;
  readonly space: string;
  readonly creator: string;
  readonly eligible: readonly string[];
  /** Id of the message that announced it. */
  readonly announcement: string;
  readonly openedAt: number;
  readonly expiresAt: number;
  readonly voters: Set<string>;
  reminded: boolean;
  state: string;
}

export class Model {
  readonly limits: CausalLimits;
  /** False once the wall clock was set back: then a lane is first come, first served, and age is only roughly known. */
  monotone = true;
  readonly messages = new Map<string, MessageRecord>();
  readonly messagesIn = new Map<string, MessageRecord[]>();
  /** Posted by the transaction that is being looked at. */
  fresh: MessageRecord[] = [];
  lastMessage = 0;
  readonly letters = new Map<string, Letter>();
  readonly pendingOf = new Map<string, Set<Letter>>();
  readonly dead = new Set<Letter>();
  readonly runs = new Map<string, ModelRun>();
  readonly openRunOf = new Map<string, ModelRun>();
  readonly lettersOf = new Map<ModelRun, Set<Letter>>();
  readonly trees = new Map<string, ModelTree>();
  readonly ballots = new Map<string, ModelBallot>();
  /** By instance; empty in a simulation of one daemon. */
  readonly nodes = new Map<string, { readonly name: string; beatAt: number; left: boolean }>();
  /** Idempotency key of the person to message. */
  readonly keys = new Map<string, string>();
  events = 0;

  constructor(limits: CausalLimits) {
    this.limits = limits;
  }

  pending(mailbox: string): ReadonlySet<Letter> {
    return this.pendingOf.get(mailbox) ?? EMPTY;
  }

  /** Pending letters of a mailbox that may be taken now, oldest first. */
  due(mailbox: string, now: number): Letter[] {
    return [...this.pending(mailbox)]
      .filter(({ notBefore }) => (notBefore ?? 0) <= now)
      .toSorted((a, b) => a.seq - b.seq);
  }

  /** Which of the due ones goes first: within a lane the oldest, except that what came back from a run may have aged. */
  next(mailbox: string, now: number): Letter | undefined {
    const due = this.due(mailbox, now);
    const picked = pick(
      due.filter(
        (each) =>
          cameBack(each) || !due.some((other) => !cameBack(other) && other.lane === each.lane && other.seq < each.seq),
      ),
      now,
    );
    if (this.monotone && picked !== undefined) {
      must(picked === pick(due, now), () => `${picked.id} goes first, but of all due it is ${pick(due, now)?.id}`);
      const starved = due.find((each) => each.seq < picked.seq && now - waitingSince(each) >= AGING_BOUND_MS);
      must(starved === undefined, () => `${picked.id} goes before ${starved?.id}, which has waited too long`);
    }
    return picked;
  }

  isMoreUrgentDue(mailbox: string, than: Lane, now: number): boolean {
    const next = this.next(mailbox, now);
    return next !== undefined && LANES.indexOf(laneAt(next, now)) < LANES.indexOf(than);
  }

  nextDue(mailbox: string, now: number): number | null {
    const times = [...this.pending(mailbox)].map(({ notBefore }) => notBefore ?? 0).filter((at) => at > now);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Until when a run of the mailbox keeps the agent from asking its provider; null when none does. */
  heldUntil(mailbox: string, now: number): number | null {
    const times = [...this.runs.values()].flatMap((run) =>
      run.mailbox === mailbox && run.state === "parked" && run.heldUntil !== null && run.heldUntil > now
        ? [run.heldUntil]
        : [],
    );
    return times.length === 0 ? null : Math.max(...times);
  }

  openLetters(run: ModelRun): Letter[] {
    return [...(this.lettersOf.get(run) ?? [])].toSorted((a, b) => a.seq - b.seq);
  }

  tree(root: string): ModelTree {
    let tree = this.trees.get(root);
    if (tree === undefined) this.trees.set(root, (tree = { turns: 0, messages: 0, maxDepth: 0, tripped: false }));
    return tree;
  }

  /** The transaction must have moved this letter, and exactly so. */
  expectMove(
    record: TransactionRecord,
    letter: Letter,
    to: {
      readonly status: DeliveryStatus;
      readonly run: ModelRun | null;
      readonly attempts?: number;
      readonly preempted?: number;
      /** Absent: whatever the transaction chose. */
      readonly notBefore?: number | null;
    },
  ): void {
    const { state, run } = claim(
      record.advances,
      ({ id }) => id === letter.id,
      () => `${letter.id} was not moved to ${to.status}`,
    ).to;
    const told = () => `${letter.id} (${letter.status}) became ${JSON.stringify({ ...state, run })}`;
    must(state.status === to.status && run === (to.run?.id ?? null), told);
    must(state.attempts === (to.attempts ?? letter.attempts), told);
    must(state.preempted === (to.preempted ?? letter.preempted), told);
    const notBefore = state.status === "pending" ? state.notBefore : null;
    if (to.notBefore !== undefined) must(notBefore === to.notBefore, told);
    this.place(letter, { status: state.status, run: to.run, notBefore });
    letter.limited = state.status === "dead" && state.outcome === "incomplete";
    letter.attempts = state.attempts;
    letter.preempted = state.preempted;
  }

  place(letter: Letter, to: Pick<Letter, "status" | "run" | "notBefore">): void {
    const wasOpen = letter.status === "pending" || letter.status === "leased";
    const isOpen = to.status === "pending" || to.status === "leased";
    if (letter.run !== null) this.lettersOf.get(letter.run)?.delete(letter);
    if (letter.status === "pending") this.pendingOf.get(letter.mailbox)?.delete(letter);
    if (letter.status === "dead") this.dead.delete(letter);
    if (wasOpen && !isOpen) letter.settled += 1;
    if (!wasOpen && isOpen) letter.revived += 1;
    must(letter.settled <= letter.revived + 1, () => `${letter.id} was settled twice`);

    Object.assign(letter, to);
    if (isOpen && to.run !== null) group(this.lettersOf, to.run).add(letter);
    if (to.status === "pending") group(this.pendingOf, letter.mailbox).add(letter);
    if (to.status === "dead") this.dead.add(letter);
  }

  expectEnd(record: TransactionRecord, run: ModelRun, outcome: RunOutcome): void {
    const ended = claim(
      record.runsEnded,
      ({ id }) => id === run.id,
      () => `${run.id} did not end`,
    );
    must(ended.outcome === outcome, () => `${run.id} ended as ${ended.outcome}, not ${outcome}`);
    must(run.state !== "ended", () => `${run.id} ended twice`);
    run.outcome = outcome;
    this.moveRun(run, "ended");
  }

  moveRun(run: ModelRun, state: ModelRun["state"]): void {
    if (run.state === "open") this.openRunOf.delete(run.mailbox);
    run.state = state;
    if (state !== "open") return;
    must(!this.openRunOf.has(run.mailbox), () => `${run.mailbox} has two open runs`);
    this.openRunOf.set(run.mailbox, run);
  }

  /** After its expectations: a transaction that did anything nobody expected is wrong. */
  expectNothingElse(record: TransactionRecord): void {
    const left = { ...record, events: [], result: undefined };
    const { messages, deliveries, advances, runsOpened, runsEnded, steps } = left;
    const count =
      messages.length + deliveries.length + advances.length + runsOpened.length + runsEnded.length + steps.length;
    must(
      count === 0,
      () => `unexpected writes: ${JSON.stringify({ messages, deliveries, advances, runsOpened, runsEnded, steps })}`,
    );
    for (const message of this.fresh.toSorted((a, b) => a.seq - b.seq)) {
      must(message.seq === this.lastMessage + 1, () => `message ${message.seq} follows ${this.lastMessage}`);
      this.lastMessage = message.seq;
      const said = this.messagesIn.get(message.space);
      if (said === undefined) this.messagesIn.set(message.space, [message]);
      else said.push(message);
    }
    this.fresh = [];
    for (const { seq } of record.events) {
      must(seq === this.events + 1, () => `event ${seq} follows ${this.events}`);
      this.events = seq;
    }
  }
}

/** Nothing younger goes before what has waited this long, whatever its lane. */
const AGING_BOUND_MS = 2 * WAIT_PER_PROMOTION_MS;

const EMPTY: ReadonlySet<Letter> = new Set();

export function laneAt(letter: Letter, now: number): Lane {
  return effectiveLane({ lane: letter.lane, preemptions: letter.preempted, waitedMs: now - waitingSince(letter) });
}

/** Since when it could have been taken. */
function waitingSince(letter: Letter): number {
  return Math.max(letter.enqueuedAt, letter.notBefore ?? 0);
}

function cameBack(letter: Letter): boolean {
  return letter.preempted > 0 || letter.notBefore !== null;
}

function pick(letters: readonly Letter[], now: number): Letter | undefined {
  const waiting = letters.map((letter) => ({
    letter,
    lane: letter.lane,
    waitingSince: waitingSince(letter),
    preemptions: letter.preempted,
    sequence: letter.seq,
  }));
  return pickNext(waiting, now)?.letter;
}

/** Takes the first entry that matches out of what a transaction wrote. */
export function claim<T>(entries: T[], matches: (entry: T) => boolean, otherwise: () => string): T {
  const index = entries.findIndex(matches);
  const entry = entries[index];
  must(entry !== undefined, otherwise);
  entries.splice(index, 1);
  return entry;
}

export function group<K, V>(sets: Map<K, Set<V>>, key: K): Set<V> {
  let set = sets.get(key);
  if (set === undefined) sets.set(key, (set = new Set()));
  return set;
}
