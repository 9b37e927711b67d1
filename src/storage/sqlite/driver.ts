import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Fault } from "../../kernel/fault.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { TransactOptions } from "../../ports/store/store.ts";
import type { CommitCounter } from "./commit-counter.ts";
import { Savepoints } from "./savepoints.ts";
import { sqliteFault } from "./sqlite-fault.ts";

/**
 * The only file that knows `node:sqlite`. One connection writes: transactions queue up, and all that are waiting when
 * the event loop turns share one BEGIN, one COMMIT and so one flush to disk. None is answered before the COMMIT returned.
 * A refusal undoes itself alone; as savepoints are dear and refusals after a write are rare, a group runs without them
 * until one is needed, and then starts over with them. What a group leads to at once, by the wakes it gives, joins it:
 * it sees what was written, and is answered with the same commit. A second, read-only connection serves reads, so that
 * they see only what is committed and never wait for a writer.
 */
export type Database = DatabaseSync;
export type Row = Record<string, SQLInputValue>;
export type Value = SQLInputValue;

export function openDatabase(file: string, options: { readonly readOnly?: boolean } = {}): Database {
  return new DatabaseSync(file, { readOnly: options.readOnly ?? false });
}

/**
 * Statements are handed out as functions and prepared once, at their first use: a project that is only opened needs a
 * tenth of them. SQLite silently prepares one again at every call when the value of a parameter may change the plan:
 * after LIMIT, and where a column is compared as in the condition of a partial index. `+?` there says that the value is
 * of no interest: ten times faster.
 */
export interface Connection {
  all(sql: string): (...values: Value[]) => Row[];
  get(sql: string): (...values: Value[]) => Row | undefined;
  /** Rows as lists of values in the order of the columns: half the price, for what is read in numbers. */
  lists(sql: string): (...values: Value[]) => Value[][];
}

export interface WriteConnection extends Connection {
  /** Answers the number of rows changed. */
  run(sql: string): (...values: Value[]) => number;
  /** Answers the rowid the insert chose. */
  insert(sql: string): (...values: Value[]) => number;
}

interface Job extends TransactOptions {
  readonly work: () => Promise<Result<unknown, Refusal>>;
  readonly resolve: (result: Result<unknown, Refusal>) => void;
  readonly reject: (error: unknown) => void;
}

/** More than this many transactions never share a commit: the first should not wait for ever on the last. */
const MAX_GROUP = 512;

export class SqliteDriver {
  readonly writer: WriteConnection;
  readonly reader: Connection;
  readonly #db: Database;
  readonly #readDb: Database;
  readonly #counter: CommitCounter;
  readonly #lock: Database | undefined;
  readonly #statements: ReturnType<typeof transactionStatements>;
  readonly #savepoints: Savepoints;
  readonly #groupEnds: (() => void)[] = [];
  readonly #commits: (() => void)[] = [];
  #queue: Job[] = [];
  #flushing: Promise<void> | undefined;
  #scheduled = false;
  #lastRead: Promise<unknown> = Promise.resolve();
  #reading = false;
  /** Of the reading connection. Outdated: something was committed since it was opened. */
  #snapshot: "none" | "current" | "outdated" = "none";
  #failed: Fault | undefined;
  #closing: Promise<void> | undefined;

  /** `readDb` may be `db` itself: a store in memory has one connection. `lock` is held as long as the store is open. */
  constructor(db: Database, readDb: Database, counter: CommitCounter, lock: Database | undefined) {
    this.#db = db;
    this.#readDb = readDb;
    this.#counter = counter;
    this.#lock = lock;
    this.#statements = transactionStatements(db, readDb);
    this.#savepoints = new Savepoints(db);
    this.writer = writeConnection(db, this.#savepoints);
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
   * Reads run one after another. A read sees one state of the database throughout, and one that starts after a commit
   * sees that commit; those between two commits share a snapshot, as opening one costs more than most reads.
   */
  read<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(closedFault());
    const next = this.#readAfter(this.#lastRead, work);
    this.#lastRead = next.catch(() => {});
    return next;
  }

  /** Called when a group was committed or undone: for what was remembered of its uncommitted state. */
  onGroupEnd(tidyUp: () => void): void {
    this.#groupEnds.push(tidyUp);
  }

  /** Called in the very moment a commit took effect: for what is remembered of the committed state. */
  onCommit(takeNote: () => void): void {
    this.#commits.push(takeNote);
  }

  /** For short synchronous jobs of the owner (backup, checks), outside any group. */
  async exclusive<T>(work: (db: Database) => T): Promise<T> {
    while (this.#flushing !== undefined) await this.#flushing;
    if (this.#closing !== undefined) throw closedFault();
    try {
      return work(this.#db);
    } catch (error) {
      throw sqliteFault(error);
    }
  }

  /** Finishes what was accepted, then lets go of every file. */
  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }

  async #closeAll(): Promise<void> {
    while (this.#flushing !== undefined || this.#queue.length > 0) await (this.#flushing ?? this.#flush());
    await this.#lastRead;
    this.#closeSnapshot();
    if (this.#readDb !== this.#db) this.#readDb.close();
    this.#db.close();
    this.#counter.close();
    this.#lock?.close();
  }

  async #readAfter<T>(before: Promise<unknown>, work: () => Promise<T>): Promise<T> {
    await before;
    if (this.#readDb === this.#db) {
      while (this.#flushing !== undefined) await this.#flushing;
      return work();
    }
    this.#reading = true;
    try {
      this.#openSnapshot();
      return await work();
    } catch (error) {
      throw sqliteFault(error);
    } finally {
      this.#reading = false;
    }
  }

  #openSnapshot(): void {
    if (this.#snapshot === "current") return;
    this.#closeSnapshot();
    this.#statements.beginRead.run();
    this.#snapshot = "current";
    setImmediate(() => this.#closeAfterTurn());
  }

  #closeAfterTurn(): void {
    this.#closeIdleSnapshot();
    if (this.#reading) setImmediate(() => this.#closeAfterTurn());
  }

  /** One that stays open keeps the log from being written back: none outlasts its turn, or meets a commit unused. */
  #closeIdleSnapshot(): void {
    if (this.#reading) return;
    try {
      this.#closeSnapshot();
    } catch {
      // It is still there for the next read, which says what is wrong.
    }
  }

  #closeSnapshot(): void {
    if (this.#snapshot !== "none") this.#statements.endRead.run();
    this.#snapshot = "none";
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
    this.#flushing = this.#commitGroup(this.#queue.splice(0, MAX_GROUP)).finally(() => {
      this.#flushing = undefined;
      if (this.#queue.length > 0) this.#schedule();
    });
    return this.#flushing;
  }

  async #commitGroup(jobs: Job[]): Promise<void> {
    // Queued before the disk failed: not tried again on a handle whose state nobody knows.
    if (this.#failed !== undefined) return this.#fail(jobs, this.#failed);
    let answers: (() => void)[] | "start over";
    try {
      answers = await this.#execute(
        jobs,
        jobs.some(({ once }) => once === true),
      );
      if (answers === "start over") answers = await this.#execute(jobs, true);
    } catch (error) {
      this.#fail(jobs, sqliteFault(error));
      return;
    } finally {
      for (const tidyUp of this.#groupEnds) tidyUp();
    }
    if (answers !== "start over") for (const answer of answers) answer();
  }

  /** One transaction for all. Without guards it is given up as soon as one of them has to be undone alone. */
  async #execute(jobs: Job[], guarded: boolean): Promise<(() => void)[] | "start over"> {
    const answers: (() => void)[] = [];
    let accepted = false;
    this.#closeIdleSnapshot();
    this.#statements.begin.run();
    for (const job of jobs) {
      const before = this.#savepoints.writes;
      let done = false;
      try {
        const result = await (guarded ? this.#savepoints.around(job.work) : job.work());
        done = result.ok;
        answers.push(() => job.resolve(result));
      } catch (error) {
        if (!this.#db.isTransaction || this.#savepoints.stuck) throw error;
        answers.push(() => job.reject(sqliteFault(error)));
      }
      accepted ||= done;
      if (done) job.written?.();
      if (!done && !guarded && this.#savepoints.writes !== before) {
        this.#statements.rollback.run();
        return jobs.length > 1 ? "start over" : answers;
      }
      if (job === jobs.at(-1)) await this.#join(jobs, guarded);
    }
    if (accepted) this.#commit();
    else this.#statements.rollback.run();
    return answers;
  }

  /** Takes what the group led to by now into it. What may run only once waits for a group that runs only once. */
  async #join(jobs: Job[], guarded: boolean): Promise<void> {
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const first = guarded ? -1 : this.#queue.findIndex(({ once }) => once === true);
    const ready = first === -1 ? this.#queue.length : first;
    jobs.push(...this.#queue.splice(0, Math.min(ready, MAX_GROUP - jobs.length)));
  }

  #commit(): void {
    this.#statements.count.run();
    this.#statements.commit.run();
    if (this.#snapshot === "current") this.#snapshot = "outdated";
    for (const takeNote of this.#commits) takeNote();
    this.#counter.advance();
  }

  /** Nothing of the group is on disk. A full disk may recover; after a failed flush nothing is known any more. */
  #fail(jobs: readonly Job[], error: unknown): void {
    try {
      if (this.#db.isTransaction) this.#statements.rollback.run();
    } catch (cause) {
      this.#failed = new Fault("disk_failed", "The database could not undo a failed transaction.", { cause });
    }
    this.#savepoints.forget();
    if (error instanceof Fault && error.code === "disk_failed") this.#failed = error;
    for (const job of jobs) job.reject(error);
  }
}

function connection(db: Database): Connection {
  return {
    all: (sql) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values) => statement().all(...values);
    },
    get: (sql) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values) => statement().get(...values);
    },
    lists: (sql) => {
      const statement = onFirstUse(() => {
        const prepared = db.prepare(sql);
        prepared.setReturnArrays(true);
        return prepared;
      });
      return (...values) => statement().all(...values) as unknown as Value[][];
    },
  };
}

function writeConnection(db: Database, savepoints: Savepoints): WriteConnection {
  return {
    ...connection(db),
    run: (sql) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values) => {
        savepoints.beforeWrite();
        return Number(statement().run(...values).changes);
      };
    },
    insert: (sql) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values) => {
        savepoints.beforeWrite();
        return Number(statement().run(...values).lastInsertRowid);
      };
    },
  };
}

function onFirstUse(prepare: () => StatementSync): () => StatementSync {
  let prepared: StatementSync | undefined;
  return () => (prepared ??= prepare());
}

function transactionStatements(db: Database, readDb: Database) {
  return {
    begin: db.prepare("BEGIN IMMEDIATE"),
    count: db.prepare("UPDATE meta SET commits = commits + 1"),
    commit: db.prepare("COMMIT"),
    rollback: db.prepare("ROLLBACK"),
    beginRead: readDb.prepare("BEGIN"),
    endRead: readDb.prepare("COMMIT"),
  };
}

function closedFault(): Fault {
  return new Fault("store_closed", "The store is closed.");
}
