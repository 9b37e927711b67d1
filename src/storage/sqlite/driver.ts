import { Fault } from "../../kernel/fault.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { StoreOptions, TransactOptions } from "../../ports/store/store.ts";
import type { CommitCounter } from "./commit-counter.ts";
import {
  connection,
  writeConnection,
  type Database,
  type SqliteConnection,
  type SqliteWriteConnection,
} from "./connection.ts";
import type { FindAbsence } from "./file-presence.ts";
import { ReadSnapshot } from "./read-snapshot.ts";
import { Savepoints } from "./savepoints.ts";
import { sqliteFault } from "./sqlite-fault.ts";

interface Job extends TransactOptions {
  readonly work: () => Promise<Result<unknown, Refusal>>;
  readonly resolve: (result: Result<unknown, Refusal>) => void;
  readonly reject: (error: unknown) => void;
}

export interface DriverParts extends StoreOptions {
  readonly db: Database;
  /** `db` for a store in memory, which has one connection. */
  readonly readDb: Database;
  readonly counter: CommitCounter;
  /** Held as long as the store is open. */
  readonly lock: Database | undefined;
  /** Asked before each commit to disk. */
  readonly findAbsence: FindAbsence;
}

/** Most transactions that share a commit, so that the first does not wait too long for the last. */
const MAX_GROUP = 512;
/** Most turns of the event loop in which a group waits for connections that come: some milliseconds. */
const MAX_WAITED_TURNS = 64;

/**
 * One connection writes. Transactions are queued, and all that are queued at a turn of the event loop form a group,
 * with one BEGIN, one COMMIT and so one flush to disk. No transaction resolves before the COMMIT returned. A refusal
 * undoes only its own transaction. Savepoints are expensive and refusals after a write are rare, so a group runs
 * without savepoints until one is needed, and then starts over with them. Transactions of the loops that a group wakes
 * join the group: they see its writes and share its commit. A second, read-only connection serves reads: they see only
 * what is committed and do not wait for a writer. Node accepts one connection in a turn of the event loop, and a group with
 * what it wakes is most of a turn: while connections come, a group waits for them, so that their requests share it.
 */
export class SqliteDriver {
  readonly writer: SqliteWriteConnection;
  /** For attached databases in memory: a group that wrote only through this connection flushes nothing to disk. */
  readonly memoryWriter: SqliteWriteConnection;
  readonly reader: SqliteConnection;
  readonly #db: Database;
  readonly #readDb: Database;
  readonly #counter: CommitCounter;
  readonly #lock: Database | undefined;
  readonly #findAbsence: FindAbsence;
  readonly #accepted: () => number;
  readonly #statements: ReturnType<typeof transactionStatements>;
  /** Undefined where one connection reads and writes. */
  readonly #snapshot: ReadSnapshot | undefined;
  readonly #savepoints: Savepoints;
  readonly #groupEndListeners: (() => void)[] = [];
  readonly #commitListeners: (() => void)[] = [];
  readonly #undoListeners: (() => void)[] = [];
  #queue: Job[] = [];
  #flushing: Promise<void> | undefined;
  #scheduled = false;
  #lastRead: Promise<unknown> = Promise.resolve();
  #readsUseWriter: boolean;
  #hasDurableWrites = false;
  #writesAtBegin = 0;
  #failed: Fault | undefined;
  #closing: Promise<void> | undefined;

  constructor({ db, readDb, counter, lock, findAbsence, accepted = () => 0 }: DriverParts) {
    this.#db = db;
    this.#readDb = readDb;
    this.#counter = counter;
    this.#lock = lock;
    this.#findAbsence = findAbsence;
    this.#accepted = accepted;
    this.#statements = transactionStatements(db);
    this.#snapshot = readDb === db ? undefined : new ReadSnapshot(readDb);
    this.#savepoints = new Savepoints(db, () => this.#undone());
    const onUndo = (listener: () => void): void => void this.#undoListeners.push(listener);
    const beforeWrite = (): void => {
      this.#hasDurableWrites = true;
      this.#savepoints.beforeWrite();
    };
    this.writer = writeConnection(db, beforeWrite, onUndo);
    this.memoryWriter = writeConnection(db, () => this.#savepoints.beforeWrite(), onUndo);
    this.#readsUseWriter = readDb === db;
    this.reader = readDb === db ? this.writer : connection(readDb);
  }

  transact<T>(work: () => Promise<Result<T, Refusal>>, options: TransactOptions = {}): Promise<Result<T, Refusal>> {
    if (this.#closing !== undefined) return Promise.reject(closedFault());
    if (this.#failed !== undefined) return Promise.reject(this.#failed);
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...options, work, resolve: resolve as Job["resolve"], reject });
      this.#schedule();
    });
  }

  /** A part of a running transaction that can be undone alone. */
  nested<T>(work: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>> {
    return this.#savepoints.around(work);
  }

  /**
   * Reads run one after another. A read sees one state of the database throughout, and a read that starts after a commit
   * sees that commit.
   */
  read<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(closedFault());
    const next = this.#readAfter(this.#lastRead, work);
    this.#lastRead = next.catch(() => {});
    return next;
  }

  /** From now on reads use the writing connection too: each waits for the group in progress and runs between two. */
  readThroughWriter(): void {
    this.#readsUseWriter = true;
  }

  /** Called when a group was committed or undone, for caches of its uncommitted state. */
  onGroupEnd(listener: () => void): void {
    this.#groupEndListeners.push(listener);
  }

  /** Called at the moment a commit takes effect. */
  onCommit(listener: () => void): void {
    this.#commitListeners.push(listener);
  }

  /** Runs a short synchronous job (backup, check, attach) outside any group. */
  async exclusive<T>(work: (db: Database) => T): Promise<T> {
    while (this.#flushing !== undefined) await this.#flushing;
    if (this.#closing !== undefined) throw closedFault();
    try {
      return work(this.#db);
    } catch (error) {
      throw sqliteFault(error);
    }
  }

  /** Runs work of another connection on the database: groups wait until it has ended. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    while (this.#flushing !== undefined) await this.#flushing;
    if (this.#closing !== undefined) throw closedFault();
    const working = work();
    const ended = working.then(
      () => {},
      () => {},
    );
    this.#flushing = ended.finally(() => {
      this.#flushing = undefined;
      if (this.#queue.length > 0) this.#schedule();
    });
    return working;
  }

  /** Finishes the queued transactions and reads, then closes every file. */
  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }

  async #closeAll(): Promise<void> {
    while (this.#flushing !== undefined || this.#queue.length > 0) await (this.#flushing ?? this.#flush());
    await this.#lastRead;
    this.#snapshot?.close();
    if (this.#readDb !== this.#db) this.#readDb.close();
    this.#db.close();
    this.#counter.close();
    this.#lock?.close();
  }

  async #readAfter<T>(before: Promise<unknown>, work: () => Promise<T>): Promise<T> {
    await before;
    // No group starts before the work is done: it awaits only the store, and groups start in a later turn.
    if (this.#readsUseWriter) while (this.#flushing !== undefined) await this.#flushing;
    try {
      return await (this.#snapshot === undefined ? work() : this.#snapshot.during(work));
    } catch (error) {
      throw sqliteFault(error);
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#flushing !== undefined) return;
    this.#scheduled = true;
    this.#flushAfterTurn(this.#accepted(), MAX_WAITED_TURNS);
  }

  #flushAfterTurn(before: number, turnsLeft: number): void {
    setImmediate(() => {
      const accepted = this.#accepted();
      if (accepted !== before && turnsLeft > 0) return this.#flushAfterTurn(accepted, turnsLeft - 1);
      this.#scheduled = false;
      if (this.#flushing === undefined && this.#queue.length > 0) void this.#flush();
    });
  }

  #flush(): Promise<void> {
    this.#flushing = this.#commitGroup(this.#queue.splice(0, MAX_GROUP)).finally(() => {
      this.#flushing = undefined;
      if (this.#queue.length > 0) this.#schedule();
    });
    return this.#flushing;
  }

  async #commitGroup(jobs: Job[]): Promise<void> {
    // Jobs queued before the disk failed are not tried: the state of the connection is unknown.
    if (this.#failed !== undefined) return this.#fail(jobs, this.#failed);
    let settlements: (() => void)[] | "start over";
    try {
      settlements = await this.#execute(
        jobs,
        jobs.some(({ once }) => once === true),
      );
      if (settlements === "start over") settlements = await this.#execute(jobs, true);
    } catch (error) {
      this.#fail(jobs, sqliteFault(error));
      return;
    } finally {
      for (const listener of this.#groupEndListeners) listener();
    }
    if (settlements !== "start over") for (const settle of settlements) settle();
  }

  /** Runs all jobs in one transaction. Without savepoints it stops as soon as one job has to be undone alone. */
  async #execute(jobs: Job[], withSavepoints: boolean): Promise<(() => void)[] | "start over"> {
    const settlements: (() => void)[] = [];
    let accepted = false;
    this.#snapshot?.closeIdle();
    this.#hasDurableWrites = false;
    this.#statements.begin.run();
    this.#writesAtBegin = this.#savepoints.writes;
    for (const job of jobs) {
      const before = this.#savepoints.writes;
      let done = false;
      try {
        const result = await (withSavepoints ? this.#savepoints.around(job.work) : job.work());
        done = result.ok;
        settlements.push(() => job.resolve(result));
      } catch (error) {
        if (!this.#db.isTransaction || this.#savepoints.stuck) throw error;
        settlements.push(() => job.reject(sqliteFault(error)));
      }
      accepted ||= done;
      if (done) job.written?.();
      if (!done && !withSavepoints && this.#savepoints.writes !== before) {
        this.#rollback();
        return jobs.length > 1 ? "start over" : settlements;
      }
      if (job === jobs.at(-1)) await this.#join(jobs, withSavepoints);
    }
    if (accepted) this.#commit();
    else this.#rollback();
    return settlements;
  }

  /** Adds the jobs that the group caused. A job with `once` waits for a group that has savepoints from its start. */
  async #join(jobs: Job[], withSavepoints: boolean): Promise<void> {
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const first = withSavepoints ? -1 : this.#queue.findIndex(({ once }) => once === true);
    const ready = first === -1 ? this.#queue.length : first;
    jobs.push(...this.#queue.splice(0, Math.min(ready, MAX_GROUP - jobs.length)));
  }

  #commit(): void {
    const isDurable = this.#hasDurableWrites;
    const absence = isDurable ? this.#findAbsence() : undefined;
    if (absence !== undefined) throw absence;
    if (isDurable) this.#statements.count.run();
    this.#statements.commit.run();
    this.#snapshot?.outdate();
    for (const listener of this.#commitListeners) listener();
    if (isDurable) this.#counter.advance();
  }

  #rollback(): void {
    this.#statements.rollback.run();
    if (this.#savepoints.writes !== this.#writesAtBegin) this.#undone();
  }

  #undone(): void {
    for (const listener of this.#undoListeners) listener();
  }

  /** Nothing of the group is on disk. A full disk may recover; after a failed flush the state of the file is unknown. */
  #fail(jobs: readonly Job[], error: unknown): void {
    try {
      if (this.#db.isTransaction) this.#rollback();
      else this.#undone();
    } catch (cause) {
      this.#failed = new Fault("disk_failed", "The database could not undo a failed transaction.", { cause });
    }
    this.#savepoints.reset();
    if (error instanceof Fault && error.code === "disk_failed") this.#failed = error;
    for (const job of jobs) job.reject(error);
  }
}

function transactionStatements(db: Database) {
  return {
    begin: db.prepare("BEGIN IMMEDIATE"),
    count: db.prepare("UPDATE meta SET commits = commits + 1"),
    commit: db.prepare("COMMIT"),
    rollback: db.prepare("ROLLBACK"),
  };
}

function closedFault(): Fault {
  return new Fault("store_closed", "The store is closed.");
}
