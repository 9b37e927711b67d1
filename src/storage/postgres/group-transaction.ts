import { randomUUID } from "node:crypto";
import type { WriteConnection } from "../connection.ts";
import type { CommitHint } from "./commit-hint.ts";
import { PostgresSavepoints } from "./savepoints.ts";
import { writeConnection, type ServerConnection } from "./server-connection.ts";

export interface GroupTransactionParts {
  readonly schema: string;
  /** The writing connection, which is another one after it was lost. */
  readonly connection: () => ServerConnection;
  /** What a group tells with its commit, and the values of `TOLD_END_OF_GROUP` that send it. */
  readonly hint: CommitHint;
  readonly ofCommit: (hint: CommitHint) => readonly [channel: string, before: string, after: string] | undefined;
}

const LAST_GROUP = `INSERT INTO writer (id, last, at) VALUES ($1, $2, now())
  ON CONFLICT (id) DO UPDATE SET last = excluded.last, at = excluded.at`;
/** Which group this is. */
const END_OF_GROUP = { name: "aw_end_of_group", text: LAST_GROUP };
/** And what the others are told of it, in one statement, because each costs time while others wait. */
const TOLD_END_OF_GROUP = {
  name: "aw_told_end_of_group",
  text: `WITH own AS (${LAST_GROUP} RETURNING last)
    SELECT pg_notify($3, $4 || (SELECT coalesce(max(seq), 0) FROM event)::text || $5) FROM own`,
};

/**
 * The transaction of a group, under the advisory lock of the project. It is begun with its first statement. Statements
 * whose answer nobody needs are not waited for: one that fails makes every later one fail, and is named then.
 */
export class GroupTransaction {
  readonly writer: WriteConnection;
  readonly savepoints = new PostgresSavepoints(
    (sql) => this.#send(sql),
    () => this.undone(),
    () => this.#answered(),
  );
  readonly #parts: GroupTransactionParts;
  readonly #undoListeners: (() => void)[] = [];
  /** Names this writer in the table `writer`, where its last committed group is. */
  readonly #writer = randomUUID();
  #group = 0;
  #phase: "outside" | "unsent" | "begun" = "outside";
  /** The last statement that nobody waits for, and why one of them failed. */
  #unawaited: Promise<unknown> = Promise.resolve();
  #failure: unknown;
  /** From then on only the server knows whether it happened. */
  isCommitSent = false;

  constructor(parts: GroupTransactionParts) {
    this.#parts = parts;
    this.writer = writeConnection({
      connection: () => this.#session(),
      beforeWrite: () => this.savepoints.beforeWrite(),
      onUndo: (listener) => void this.#undoListeners.push(listener),
      answers: (answer) => {
        this.#unawaited = answer.catch((error: unknown) => void (this.#failure ??= error));
      },
    });
  }

  /** Whether the server was asked anything. */
  get isBegun(): boolean {
    return this.#phase === "begun";
  }

  begin(): void {
    this.savepoints.reset();
    this.#parts.hint.reset();
    this.#phase = "unsent";
    this.#failure = undefined;
    this.#unawaited = Promise.resolve();
  }

  async rollback(): Promise<void> {
    if (this.isBegun) await this.#parts.connection().execute("ROLLBACK");
    this.end();
    this.isCommitSent = false;
    this.undone();
  }

  async commit(hasWritten: boolean): Promise<void> {
    const connection = this.#parts.connection();
    if (hasWritten) {
      this.#group += 1;
      const told = this.#parts.ofCommit(this.#parts.hint);
      const statement = told === undefined ? END_OF_GROUP : TOLD_END_OF_GROUP;
      const ended = connection.rows(statement, [this.#writer, this.#group, ...(told ?? [])]);
      ended.catch((error: unknown) => void (this.#failure ??= error));
      this.isCommitSent = true;
    }
    // The server answers a COMMIT of a transaction that failed with its ROLLBACK.
    if ((await connection.command("COMMIT")) !== "COMMIT")
      throw new Error("the server undid a transaction that had failed before");
    this.end();
  }

  /** Statements are in no transaction any more. */
  end(): void {
    this.#phase = "outside";
  }

  /** Tells caches that something they know may not be stored. */
  undone(): void {
    this.#parts.hint.spoil();
    for (const listener of this.#undoListeners) listener();
  }

  /** Whether the last group was committed, although nobody heard of it. */
  async wasCommitted(): Promise<boolean> {
    const connection = this.#parts.connection();
    this.end();
    // The session that is gone may still be at work on it: it holds the lock until it ends.
    connection.execute(this.#beginning).catch(() => {});
    const [row] = await connection.execute(`SELECT last FROM writer WHERE id = '${this.#writer}'`);
    await connection.execute("ROLLBACK");
    return row?.["last"] === this.#group;
  }

  /** A statement that failed unawaited makes all later ones of its transaction fail: returns why it did. */
  async causeOf(error: unknown): Promise<unknown> {
    await this.#unawaited;
    const cause = this.#failure ?? error;
    this.#failure = undefined;
    return cause;
  }

  /** Rejects when a statement failed that nobody waited for. */
  async #answered(): Promise<void> {
    const error = await this.causeOf(undefined);
    if (error instanceof Error) throw error;
  }

  /** The connection, in the transaction of the group if one is being executed. */
  #session(): ServerConnection {
    const connection = this.#parts.connection();
    if (this.#phase === "unsent") {
      this.#phase = "begun";
      connection.execute(this.#beginning).catch(() => {});
    }
    return connection;
  }

  get #beginning(): string {
    return `BEGIN; SELECT pg_advisory_xact_lock(${lockOf(this.#parts.schema)})`;
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
