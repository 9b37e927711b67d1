import type { Database } from "./connection.ts";

/**
 * The state of the database that the reading connection sees. Reads between two commits share one, because opening it
 * costs more than most reads. An open one blocks the write-back of the log, so an unused one is closed after its turn of
 * the event loop and before a commit.
 */
export class ReadSnapshot {
  readonly #begin: { run(): unknown };
  readonly #end: { run(): unknown };
  /** Outdated: something was committed since it was opened. */
  #state: "none" | "current" | "outdated" = "none";
  #reading = false;

  constructor(db: Database) {
    this.#begin = db.prepare("BEGIN");
    this.#end = db.prepare("COMMIT");
  }

  /** Runs a read. The caller starts the next one when this one has ended. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#reading = true;
    try {
      this.#open();
      return await work();
    } finally {
      this.#reading = false;
    }
  }

  /** Something was committed: the next read opens a new one. */
  outdate(): void {
    if (this.#state === "current") this.#state = "outdated";
  }

  closeIdle(): void {
    if (this.#reading) return;
    try {
      this.close();
    } catch {
      // The next read uses it and fails with the reason.
    }
  }

  close(): void {
    if (this.#state !== "none") this.#end.run();
    this.#state = "none";
  }

  #open(): void {
    if (this.#state === "current") return;
    this.close();
    this.#begin.run();
    this.#state = "current";
    setImmediate(() => this.#closeAfterTurn());
  }

  #closeAfterTurn(): void {
    this.closeIdle();
    if (this.#reading) setImmediate(() => this.#closeAfterTurn());
  }
}
