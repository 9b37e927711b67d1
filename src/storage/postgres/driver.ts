import { systemClock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { TransactOptions } from "../../ports/store/store.ts";
import type { WriteConnection } from "../connection.ts";
import { GroupTransaction, type GroupTransactionParts } from "./group-transaction.ts";
import { isLost, postgresFault } from "./postgres-fault.ts";
import { ReadPool } from "./read-pool.ts";
import type { ServerSettings } from "./server-settings.ts";
import type { ServerConnection } from "./server-connection.ts";

interface Job extends TransactOptions {
  readonly work: () => Promise<Result<unknown, Refusal>>;
  readonly resolve: (result: Result<unknown, Refusal>) => void;
  readonly reject: (error: unknown) => void;
}

export interface DriverParts extends Pick<GroupTransactionParts, "hint" | "ofCommit"> {
  readonly settings: ServerSettings;
  readonly connect: () => Promise<ServerConnection>;
  /** The writing connection, open already. */
  readonly connection: ServerConnection;
  readonly readers: number;
}

/** Most transactions that share a commit, so that the first does not wait too long for the last. */
const MAX_GROUP = 512;
/** How long work waits for a server that restarts or fails over, before it is refused. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 200;

/**
 * One connection writes, in groups as the driver of SQLite does: all transactions that are queued share one BEGIN, one
 * COMMIT and so one flush of the server, and none resolves before COMMIT was answered. A group holds the advisory lock
 * of the project, so the transactions of all nodes happen one after another, and sequence numbers are in the order of
 * commits. A group that loses its connection is run again on a new one, unless its COMMIT took effect: the server is
 * asked. Reads have connections of their own.
 */
export class PostgresDriver {
  readonly writer: WriteConnection;
  readonly pool: ReadPool;
  readonly #parts: DriverParts;
  readonly #group: GroupTransaction;
  #connection: ServerConnection;
  #queue: Job[] = [];
  #flushing: Promise<void> | undefined;
  #scheduled = false;
  #readsUseWriter = false;
  #unreachable: Fault | undefined;
  #memoryLost: Fault | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: DriverParts) {
    this.#parts = parts;
    this.#connection = parts.connection;
    const { hint, ofCommit, settings } = parts;
    this.#group = new GroupTransaction({ schema: settings.schema, connection: () => this.#connection, hint, ofCommit });
    this.writer = this.#group.writer;
    this.pool = new ReadPool(parts.connect, parts.readers, settings);
  }

  /** Why the server cannot be used now. */
  get unreachable(): Fault | undefined {
    return this.#unreachable;
  }

  transact<T>(work: () => Promise<Result<T, Refusal>>, options: TransactOptions = {}): Promise<Result<T, Refusal>> {
    if (this.#closing !== undefined) return Promise.reject(closedFault());
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...options, work, resolve: resolve as Job["resolve"], reject });
      this.#schedule();
    });
  }

  /** A part of a running transaction that can be undone alone. */
  nested<T>(work: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>> {
    return this.#group.savepoints.around(work);
  }

  /** `work` gets the connection it has to use; undefined means that of `writer`. */
  async read<T>(work: (connection: ServerConnection | undefined) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw closedFault();
    if (!this.#readsUseWriter) return this.pool.read(work);
    return this.exclusive(() => work(undefined));
  }

  /** The tables in memory belong to the writing connection: from now on reads use it too, between two groups. */
  readThroughWriter(lost: Fault): void {
    this.#readsUseWriter = true;
    this.#memoryLost = lost;
  }

  /** Runs work on the writing connection outside any group. */
  async exclusive<T>(work: (connection: ServerConnection) => Promise<T>): Promise<T> {
    return this.hold(async () => {
      try {
        return await work(this.#connection);
      } catch (error) {
        throw postgresFault(error, this.#parts.settings);
      }
    });
  }

  /** No group starts while the work runs. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    while (this.#flushing !== undefined) await this.#flushing;
    if (this.#closing !== undefined) throw closedFault();
    const working = work();
    const ended = working.then(
      () => {},
      () => {},
    );
    this.#flushing = ended.finally(() => this.#next());
    return working;
  }

  /** Finishes the queued transactions and reads, then ends every connection. */
  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }

  async #closeAll(): Promise<void> {
    while (this.#flushing !== undefined || this.#queue.length > 0) await (this.#flushing ?? this.#flush());
    await this.pool.close();
    await this.#connection.end();
  }

  #next(): void {
    this.#flushing = undefined;
    if (this.#queue.length > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#flushing !== undefined) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#flushing === undefined && this.#queue.length > 0) void this.#flush();
    });
  }

  #flush(): Promise<void> {
    this.#flushing = this.#commitGroup(this.#queue.splice(0, MAX_GROUP)).finally(() => this.#next());
    return this.#flushing;
  }

  async #commitGroup(jobs: Job[]): Promise<void> {
    const until = systemClock.monotonic() + PATIENCE_MS;
    for (;;) {
      this.#group.isCommitSent = false;
      const settlements: (() => void)[] = [];
      try {
        await this.#connected(until);
        const once = jobs.some((job) => job.once === true);
        if (!(await this.#execute(jobs, once, settlements))) {
          settlements.length = 0;
          await this.#execute(jobs, true, settlements);
        }
      } catch (error) {
        this.#group.undone();
        const fault = postgresFault(error, this.#parts.settings);
        if (await this.#mayRunAgain(jobs, error, until)) continue;
        if (!(this.#group.isCommitSent && (await this.#wasCommitted(until)))) settlements.length = 0;
        this.#group.savepoints.reset();
        if (settlements.length === 0) for (const job of jobs) job.reject(fault);
      }
      for (const settle of settlements) settle();
      return;
    }
  }

  /** Work that was interrupted before its COMMIT is repeated. A group that is not known to be undone is not. */
  async #mayRunAgain(jobs: readonly Job[], error: unknown, until: number): Promise<boolean> {
    this.#group.savepoints.reset();
    if (!isLost(error)) {
      await this.#connection.execute("ROLLBACK").catch(() => {});
      return false;
    }
    await this.#connection.end();
    if (jobs.some(({ once }) => once === true) || systemClock.monotonic() > until) return false;
    return !(this.#group.isCommitSent && (await this.#wasCommitted(until)) !== false);
  }

  /** Undefined when the server cannot be asked. */
  async #wasCommitted(until: number): Promise<boolean | undefined> {
    try {
      await this.#connected(until);
      return await this.#group.wasCommitted();
    } catch {
      return undefined;
    }
  }

  async #connected(until: number): Promise<void> {
    if (!this.#connection.isEnded) return;
    if (this.#memoryLost !== undefined) throw this.#memoryLost;
    for (;;) {
      try {
        this.#connection = await this.#parts.connect();
        this.#unreachable = undefined;
        return;
      } catch (error) {
        const fault = postgresFault(error, this.#parts.settings);
        if (fault instanceof Fault) this.#unreachable = fault;
        if (!isLost(fault) || systemClock.monotonic() > until || this.#closing !== undefined) throw fault;
        await systemClock.sleep(RETRY_MS);
      }
    }
  }

  /** Runs all jobs in one transaction. Returns false when one has to be undone alone and there are no savepoints. */
  async #execute(jobs: Job[], withSavepoints: boolean, settlements: (() => void)[]): Promise<boolean> {
    let accepted = false;
    this.#group.begin();
    const start = this.#group.savepoints.writes;
    for (const job of jobs) {
      const before = this.#group.savepoints.writes;
      let done = false;
      try {
        const result = await (withSavepoints ? this.#group.savepoints.around(job.work) : job.work());
        done = result.ok;
        settlements.push(() => job.resolve(result));
      } catch (thrown) {
        const error = await this.#group.causeOf(thrown);
        if (isLost(error) || this.#connection.isEnded) throw error;
        settlements.push(() => job.reject(postgresFault(error, this.#parts.settings)));
        // A statement that failed without a write before it has undone the whole transaction.
        if (isServerError(error) && (this.#group.savepoints.writes === before || !withSavepoints)) {
          await this.#group.rollback();
          if (withSavepoints) throw error;
          return jobs.length === 1;
        }
      }
      accepted ||= done;
      if (done) {
        job.written?.();
        this.#parts.hint.wake(job.woken?.() ?? []);
      }
      if (!done && !withSavepoints && this.#group.savepoints.writes !== before) {
        await this.#group.rollback();
        return jobs.length === 1;
      }
      if (job === jobs.at(-1)) await this.#join(jobs, withSavepoints);
    }
    if (!accepted) await this.#group.rollback();
    else if (this.#group.isBegun) return this.#commitOr(jobs, withSavepoints, settlements, start);
    this.#group.end();
    return true;
  }

  /** As `#execute`: a statement that nobody waited for may have failed, and the commit says so. */
  async #commitOr(
    jobs: readonly Job[],
    withSavepoints: boolean,
    settlements: (() => void)[],
    start: number,
  ): Promise<boolean> {
    try {
      await this.#group.commit(this.#group.savepoints.writes > start);
      return true;
    } catch (thrown) {
      const error = await this.#group.causeOf(thrown);
      if (withSavepoints || !isServerError(error) || error === thrown) throw error;
      await this.#group.rollback();
      settlements.length = 0;
      const [job] = jobs;
      if (jobs.length > 1 || job === undefined) return false;
      settlements.push(() => job.reject(postgresFault(error, this.#parts.settings)));
      return true;
    }
  }

  /** Adds the jobs that the group caused. A job with `once` waits for a group that has savepoints from its start. */
  async #join(jobs: Job[], withSavepoints: boolean): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const first = withSavepoints ? -1 : this.#queue.findIndex(({ once }) => once === true);
    const ready = first === -1 ? this.#queue.length : first;
    jobs.push(...this.#queue.splice(0, Math.min(ready, MAX_GROUP - jobs.length)));
  }
}

/** An error that PostgreSQL reports for a statement. It undoes the transaction up to the last savepoint. */
function isServerError(error: unknown): boolean {
  return error instanceof Error && "severity" in error;
}

function closedFault(): Fault {
  return new Fault("store_closed", "The store is closed.");
}
