import { AsyncLocalStorage } from "node:async_hooks";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { CausalLimits } from "../../../src/domain/causal/budget.ts";
import type { RecordedEvent } from "../../../src/domain/event.ts";
import { checkFileName } from "../../../src/files/confined-path.ts";
import { revisionOf } from "../../../src/files/documents/revision.ts";
import type { Caller } from "../../../src/kernel/caller.ts";
import { createIds } from "../../../src/kernel/ids.ts";
import type { AnyProposal } from "../../../src/kernel/proposal.ts";
import type { Random } from "../../../src/kernel/random.ts";
import { refuse, type Refusal } from "../../../src/kernel/refusal.ts";
import { ok, type Result } from "../../../src/kernel/result.ts";
import { createSystem, type TransactionalStore, type System } from "../../../src/kernel/system.ts";
import type { Services, ProductTypes } from "../../../src/operations/core/define.ts";
import { checkFence } from "../../../src/operations/runs/leased-run.ts";
import type { Store, StoreWrites } from "../../../src/ports/store/store.ts";
import { openSqliteStore } from "../../../src/storage/sqlite/sqlite-store.ts";
import { participant, workspace } from "../../../src/testing/store-conformance/records.ts";
import { manualClock, type ManualClock } from "../manual-clock.ts";
import { must } from "./broken.ts";
import { castFacilities, PLACES } from "./cast.ts";
import type { SimulatedNode } from "./node-script.ts";
import { newRecord, observeWrites, type TransactionRecord } from "./transaction-record.ts";

/**
 * The real kernel, operations and store, with the outside replaced: clock and chance are the seed's, and the process
 * can die. What dies with it is everything volatile: the System, its ids, unanswered calls, wakes. A store in memory
 * stands for a disk that outlives the process; a store in a file is really copied as it lies on the disk at the moment
 * of death, even in the middle of a transaction, and the copy is opened.
 */
export interface WorldOptions {
  readonly random: Random;
  readonly limits: CausalLimits;
  readonly placement: "memory" | "file";
  readonly wake: (mailbox: string) => void;
  readonly plant?: Plant;
}

/** The seam for planted bugs: what the operations write through, and a way to publish. */
export type Plant = (writes: StoreWrites, publish: (event: RecordedEvent) => void) => StoreWrites;

/** One call of an operation. `check` is asked in the order of the transactions; `answered` only if the caller lived. */
export interface Action {
  readonly label: string;
  readonly caller: Caller;
  readonly operation: AnyProposal<ProductTypes>;
  readonly data: unknown;
  /** Instance of the node that makes the call; absent: the only one. */
  readonly node?: string;
  check(record: TransactionRecord): void;
  answered?(result: Result<unknown, Refusal>): void;
}

/**
 * `live`: all goes well. `lost`: the process dies before the commit of this group. `unanswered`: it dies after the
 * commit, before anybody was told.
 */
export type Fate = "live" | "lost" | "unanswered";

export interface Performed {
  readonly action: Action;
  readonly record: TransactionRecord;
}

interface Group {
  readonly fate: Fate;
  readonly performed: Performed[];
  readonly inflight: Promise<unknown>[];
}

const never = new Promise<never>(() => {});

export class OperationTypes implements AsyncDisposable {
  readonly clock: ManualClock = manualClock();
  readonly #options: WorldOptions;
  readonly #services: Services;
  readonly #folder: string | undefined;
  #store: Store;
  #writes: StoreWrites | undefined;
  #system: System<ProductTypes>;
  readonly #nodes = new Map<string, System<ProductTypes>>();
  #group: Group | undefined;
  #record: TransactionRecord = newRecord(0);
  /** The call that a transaction belongs to. One that lost its run is refused before its operation begins. */
  readonly #calling = new AsyncLocalStorage<Action>();
  #file: string | undefined;
  #nextFile: string | undefined;
  #copies = 0;
  #life = 0;
  /** Sequence number of the newest event that is surely on disk. */
  #committed = 0;
  #published = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#services = castFacilities(options.limits);
    this.#folder = options.placement === "file" ? mkdtempSync(join(tmpdir(), "simulation-")) : undefined;
    this.#file = this.#folder === undefined ? undefined : join(this.#folder, "0.db");
    this.#store = this.#open();
    this.#system = this.#boot();
  }

  /** The name under which this life of the process leases. */
  get leaseOwner(): string {
    return `life_${this.#life}`;
  }

  /** One more process on the same store. */
  addNode(node: SimulatedNode): void {
    this.#nodes.set(node.instance, this.#boot(castFacilities(this.#options.limits, node)));
  }

  async openPlaces(): Promise<void> {
    await this.#store.transact(async (writes) => {
      for (const { key, members } of PLACES) {
        await writes.workspaces.open(workspace(key));
        await writes.workspaces.setParticipants(
          key,
          members.map(({ agent, ref }, position) => participant(key, agent, { position, ref })),
        );
      }
      return ok(undefined);
    });
  }

  /** Makes the calls at once, so that they share a commit. Answers what was committed or refused, in that order. */
  async perform(actions: readonly Action[], fate: Fate): Promise<readonly Performed[]> {
    const group: Group = { fate, performed: [], inflight: [] };
    this.#group = group;
    const life = this.#life;
    const answers = actions.map(async (action) => {
      const { caller, operation, data } = action;
      const system = this.#nodes.get(action.node ?? "") ?? this.#system;
      const result = await this.#calling.run(action, () => system.call(caller, operation, data));
      return { action, result };
    });
    if (fate === "live") {
      const answered = await Promise.all(answers);
      for (const { action, result } of answered) {
        // A run that was taken over is refused before its transaction, where there is something to prepare.
        if (!result.ok && result.error.code === "lease_lost")
          note(group.performed, refused(action, result, this.clock));
        const seen = group.performed.some((each) => each.action === action);
        must(seen, () => `${action.label} was answered without a transaction: ${JSON.stringify(result)}`);
        action.answered?.(result);
      }
      return group.performed;
    }
    await turn();
    await Promise.all(group.inflight);
    must(life === this.#life, () => "two deaths at once");
    await this.#die(fate);
    return fate === "lost" ? [] : group.performed;
  }

  /** A copy of the store as one file, for looking at everything. */
  async copyTo(file: string): Promise<void> {
    await this.#store.backup(file);
  }

  async mailboxesWithPending(): Promise<string[]> {
    return this.#store.read((reads) => reads.deliveries.mailboxesWithPending());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #die(fate: Exclude<Fate, "live">): Promise<void> {
    this.#life += 1;
    if (this.#file !== undefined) {
      if (fate === "unanswered") this.#copyFile();
      await this.#store[Symbol.asyncDispose]();
      for (const part of ["", ".commits", ".lock"]) rmSync(this.#file + part, { force: true });
      this.#file = this.#nextFile ?? this.#file;
      this.#nextFile = undefined;
      this.#store = this.#open();
      must(this.#store.lostCommits === 0, () => `${this.#store.lostCommits} commits were lost`);
    }
    this.#committed = (await this.#store.read((reads) => reads.events.last())).durable;
    this.#published = this.#committed;
    this.#system = this.#boot();
  }

  #open(): Store {
    this.#writes = undefined;
    const rules = { checkName: checkFileName, revisionOf, now: () => this.clock.now() };
    return openSqliteStore(this.#file === undefined ? { kind: "memory" } : { kind: "file", file: this.#file }, rules);
  }

  #boot(services = this.#services): System<ProductTypes> {
    const { random, wake } = this.#options;
    return createSystem<ProductTypes>({
      store: this.#observedStore(this.#life),
      services,
      clock: this.clock,
      random,
      newId: createIds(this.clock, random),
      checkFence,
      publish: (events) => events.forEach((event) => this.#publish(event)),
      wake: (mailboxes) => {
        for (const mailbox of mailboxes) wake(mailbox);
      },
    });
  }

  #publish(event: RecordedEvent): void {
    must(event.seq <= this.#committed, () => `event ${event.seq} (${event.type}) was published before its commit`);
    must(event.seq === this.#published + 1, () => `event ${event.seq} was published after ${this.#published}`);
    this.#published = event.seq;
  }

  #observedStore(life: number): TransactionalStore<ProductTypes> {
    return {
      read: (work) => this.#store.read(work),
      transact: async (work, options = {}) => {
        const written = options.written === undefined ? {} : { written: options.written };
        const action = this.#calling.getStore();
        must(action !== undefined, () => "a transaction nobody asked for");
        const committed = this.#store.transact(async (writes) => this.#transact(writes, work, action), written);
        this.#group?.inflight.push(committed);
        const { result, record } = carriedBy(await committed);
        if (life !== this.#life || this.#group?.fate !== "live") return never;
        if (result.ok) this.#committed = record.events.at(-1)?.seq ?? this.#committed;
        return result;
      },
    };
  }

  /** A refusal of the work is a refusal for the store too, and carries the answer; so does a group that is lost. */
  async #transact<T>(
    writes: StoreWrites,
    work: (store: StoreWrites) => Promise<Result<T, Refusal>>,
    action: Action,
  ): Promise<Result<Carried<T>, Refusal>> {
    const group = this.#group;
    must(group !== undefined, () => "a transaction outside a group");
    const record = newRecord(this.clock.now());
    this.#record = record;
    const result = await work((this.#writes ??= this.#observed(writes)));
    record.result = result;
    note(group.performed, { action, record });
    if (group.fate === "lost" && this.#nextFile === undefined) this.#copyFile();
    return result.ok && group.fate !== "lost" ? ok({ result, record }) : undone({ result, record });
  }

  #observed(writes: StoreWrites): StoreWrites {
    const observed = observeWrites(writes, () => this.#record);
    return this.#options.plant?.(observed, (event) => this.#publish(event)) ?? observed;
  }

  /** The database as a kill would leave it: file, log and commit counter, without closing anything. */
  #copyFile(): void {
    const from = this.#file;
    if (from === undefined || this.#folder === undefined) return;
    this.#copies += 1;
    const to = join(this.#folder, `${this.#copies}.db`);
    for (const part of ["", "-wal", ".commits"]) if (existsSync(from + part)) copyFileSync(from + part, to + part);
    this.#nextFile = to;
  }
}

type Carried<T> = { readonly result: Result<T, Refusal>; readonly record: TransactionRecord };

/** A store may execute a transaction again when its neighbour has to be undone: only the last time counts. */
function note(performed: Performed[], latest: Performed): void {
  const earlier = performed.findIndex(({ action }) => action === latest.action);
  if (earlier !== -1) performed.splice(earlier, 1);
  performed.push(latest);
}

function refused(action: Action, result: Result<unknown, Refusal>, clock: ManualClock): Performed {
  return { action, record: { ...newRecord(clock.now()), result } };
}

/** Makes the store undo the work and still hands back what the work answered. */
function undone<T>(carried: Carried<T>): Result<Carried<T>, Refusal> {
  return refuse("unavailable", "undone", { details: { carried } });
}

function carriedBy<T>(outcome: Result<Carried<T>, Refusal>): Carried<T> {
  return outcome.ok ? outcome.value : (outcome.error.details?.["carried"] as Carried<T>);
}
