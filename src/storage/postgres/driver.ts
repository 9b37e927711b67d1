import { randomUUID } from "node:crypto";
import { systemClock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { TransactOptions } from "../../ports/store/store.ts";
import type { WriteConnection } from "../connection.ts";
import type { CommitHint } from "./commit-hint.ts";
import { isLost, postgresFault } from "./postgres-fault.ts";
import { ReadPool } from "./read-pool.ts";
import { PostgresSavepoints } from "./savepoints.ts";
import type { ServerSettings } from "./server-settings.ts";
import { writeConnection, type ServerConnection } from "./server-connection.ts";

interface Job extends TransactOptions {
  readonly work: () => Promise<Result<unknown, Refusal>>;
  readonly resolve: (result: Result<unknown, Refusal>) => void;
  readonly reject: (error: unknown) => void;
}

export interface DriverParts {
  readonly settings: ServerSettings;
  readonly connect: () => Promise<ServerConnection>;
  /** The writing connection, open already. */
  readonly connection: ServerConnection;
  readonly readers: number;
  /** What a group tells with its commit, and the values of `END_OF_GROUP` that send it. */
  readonly hint: CommitHint;
  readonly ofCommit: (hint: CommitHint) => readonly [channel: string, before: string, after: string];
}

/** One statement, because each costs time while others wait: which group this is, and what the others are told of it. */
const END_OF_GROUP = {
  name: "aw_end_of_group",
  text: `WITH own AS (
      INSERT INTO writer (id, last, at) VALUES ($1, $2, now())
      ON CONFLICT (id) DO UPDATE SET last = excluded.last, at = excluded.at RETURNING last)
    SELECT pg_notify($3, $4 || (SELECT coalesce(max(seq), 0) FROM event)::text || $5) FROM own`,
};

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
  readonly #undoListeners: (() => void)[] = [];
  readonly #savepoints = new PostgresSavepoints(
    (sql) => this.#send(sql),
    () => this.#undone(),
    () => this.#answered(),
  );
  #connection: ServerConnection;
  #queue: Job[] = [];
  #flushing: Promise<void> | undefined;
  #scheduled = false;
  #readsUseWriter = false;
  /** Names this writer in the table `writer`, where its last committed group is. */
  readonly #writer = randomUUID();
  #group = 0;
  /** In a group; the server is told with the first statement. */
  #phase: "outside" | "unsent" | "begun" = "outside";
  /** The last statement that nobody waits for, and why one of them failed. */
  #unawaited: Promise<unknown> = Promise.resolve();
  #failure: unknown;
  #commitSent = false;
  #unreachable: Fault | undefined;
  #memoryLost: Fault | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: DriverParts) {
    this.#parts = parts;
    this.#connection = parts.connection;
    this.writer = writeConnection({
      connection: () => this.#session(),
      beforeWrite: () => this.#savepoints.beforeWrite(),
      onUndo: (listener) => void this.#undoListeners.push(listener),
      answers: (answer) => {
        this.#unawaited = answer.catch((error: unknown) => void (this.#failure ??= error));
      },
    });
    this.pool = new ReadPool(parts.connect, parts.readers, parts.settings);
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
    return this.#savepoints.around(work);
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
      this.#commitSent = false;
      const settlements: (() => void)[] = [];
      try {
        await this.#connected(until);
        const once = jobs.some((job) => job.once === true);
        if (!(await this.#execute(jobs, once, settlements))) {
          settlements.length = 0;
          await this.#execute(jobs, true, settlements);
        }
      } catch (error) {
        this.#undone();
        const fault = postgresFault(error, this.#parts.settings);
        if (await this.#mayRunAgain(jobs, error, until)) continue;
        if (!(this.#commitSent && (await this.#wasCommitted(until)))) settlements.length = 0;
        this.#savepoints.reset();
        if (settlements.length === 0) for (const job of jobs) job.reject(fault);
      }
      for (const settle of settlements) settle();
      return;
    }
  }

  /** Work that was interrupted before its COMMIT is repeated. A group that is not known to be undone is not. */
  async #mayRunAgain(jobs: readonly Job[], error: unknown, until: number): Promise<boolean> {
    this.#savepoints.reset();
    if (!isLost(error)) {
      await this.#connection.execute("ROLLBACK").catch(() => {});
      return false;
    }
    await this.#connection.end();
    if (jobs.some(({ once }) => once === true) || systemClock.monotonic() > until) return false;
    return !(this.#commitSent && (await this.#wasCommitted(until)) !== false);
  }

  /** Undefined when the server cannot be asked. */
  async #wasCommitted(until: number): Promise<boolean | undefined> {
    try {
      await this.#connected(until);
      // The session that is gone may still be at work on it: it holds the lock until it ends.
      this.#phase = "outside";
      this.#send(this.#beginning);
      const [row] = await this.#connection.execute(`SELECT last FROM writer WHERE id = '${this.#writer}'`);
      await this.#connection.execute("ROLLBACK");
      return row?.["last"] === this.#group;
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
    this.#begin();
    const start = this.#savepoints.writes;
    for (const job of jobs) {
      const before = this.#savepoints.writes;
      let done = false;
      try {
        const result = await (withSavepoints ? this.#savepoints.around(job.work) : job.work());
        done = result.ok;
        settlements.push(() => job.resolve(result));
      } catch (thrown) {
        const error = await this.#causeOf(thrown);
        if (isLost(error) || this.#connection.isEnded) throw error;
        settlements.push(() => job.reject(postgresFault(error, this.#parts.settings)));
        // A statement that failed without a write before it has undone the whole transaction.
        if (isServerError(error) && (this.#savepoints.writes === before || !withSavepoints)) {
          await this.#rollback();
          if (withSavepoints) throw error;
          return jobs.length === 1;
        }
      }
      accepted ||= done;
      if (done) {
        job.written?.();
        this.#parts.hint.wake(job.woken?.() ?? []);
      }
      if (!done && !withSavepoints && this.#savepoints.writes !== before) {
        await this.#rollback();
        return jobs.length === 1;
      }
      if (job === jobs.at(-1)) await this.#join(jobs, withSavepoints);
    }
    if (!accepted) await this.#rollback();
    else if (this.#phase === "begun") return this.#commitOr(jobs, withSavepoints, settlements, start);
    this.#phase = "outside";
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
      await this.#commit(this.#savepoints.writes > start);
      return true;
    } catch (thrown) {
      const error = await this.#causeOf(thrown);
      if (withSavepoints || !isServerError(error) || error === thrown) throw error;
      this.#commitSent = false;
      await this.#rollback();
      settlements.length = 0;
      const [job] = jobs;
      if (jobs.length > 1 || job === undefined) return false;
      settlements.push(() => job.reject(postgresFault(error, this.#parts.settings)));
      return true;
    }
  }

  /** A statement that failed unawaited makes all later ones of its transaction fail: returns why it did. */
  async #causeOf(error: unknown): Promise<unknown> {
    await this.#unawaited;
    const cause = this.#failure ?? error;
    this.#failure = undefined;
    return cause;
  }

  /** Rejects when a statement failed that nobody waited for. */
  async #answered(): Promise<void> {
    await this.#unawaited;
    if (this.#failure === undefined) return;
    const error = this.#failure;
    this.#failure = undefined;
    throw error;
  }

  async #rollback(): Promise<void> {
    if (this.#phase === "begun") await this.#connection.execute("ROLLBACK");
    this.#phase = "outside";
    this.#undone();
  }

  #undone(): void {
    this.#parts.hint.spoil();
    for (const listener of this.#undoListeners) listener();
  }

  #begin(): void {
    this.#savepoints.reset();
    this.#parts.hint.reset();
    this.#phase = "unsent";
    this.#failure = undefined;
    this.#unawaited = Promise.resolve();
  }

  /** The connection, in the transaction of the group if one is being executed. */
  #session(): ServerConnection {
    if (this.#phase === "unsent") {
      this.#phase = "begun";
      this.#connection.execute(this.#beginning).catch(() => {});
    }
    return this.#connection;
  }

  get #beginning(): string {
    return `BEGIN; SELECT pg_advisory_xact_lock(${lockOf(this.#parts.settings.schema)})`;
  }

  async #commit(hasWritten: boolean): Promise<void> {
    if (hasWritten) {
      this.#group += 1;
      const values = [this.#writer, this.#group, ...this.#parts.ofCommit(this.#parts.hint)];
      this.#connection.rows(END_OF_GROUP, values).catch((error: unknown) => void (this.#failure ??= error));
      this.#commitSent = true;
    }
    // The server answers a COMMIT of a transaction that failed with its ROLLBACK.
    if ((await this.#connection.command("COMMIT")) !== "COMMIT")
      throw new Error("the server undid a transaction that had failed before");
    this.#phase = "outside";
  }

  /** Adds the jobs that the group caused. A job with `once` waits for a group that has savepoints from its start. */
  async #join(jobs: Job[], withSavepoints: boolean): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const first = withSavepoints ? -1 : this.#queue.findIndex(({ once }) => once === true);
    const ready = first === -1 ? this.#queue.length : first;
    jobs.push(...this.#queue.splice(0, Math.min(ready, MAX_GROUP - jobs.length)));
  }

  /** Sent without waiting: if it fails, so does the statement after it. */
  #send(sql: string): void {
    this.#session()
      .execute(sql)
      .catch(() => {});
  }
}

/** The lock that orders the transactions of a project, as an expression. */
function lockOf(schema: string): string {
  return `hashtextextended('agent-worker ${schema}', 0)`;
}

/** An error that PostgreSQL reports for a statement. It undoes the transaction up to the last savepoint. */
function isServerError(error: unknown): boolean {
  return error instanceof Error && "severity" in error;
}

function closedFault(): Fault {
  return new Fault("store_closed", "The store is closed.");
}
