import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";

/**
 * Savepoints, opened only before the first write of the work they guard, and sent together with it. `send` does not
 * wait for the answer of the server: a savepoint that fails is seen by the next statement.
 */
export class PostgresSavepoints {
  readonly #send: (sql: string) => void;
  readonly #undone: () => void;
  readonly #answered: () => Promise<void>;
  #depth = 0;
  #open = 0;
  /** Grows with every write; two readings that differ mean that something was written between them. */
  writes = 0;

  /**
   * `undone` is called when writes are undone. `answered` rejects when a statement failed that nobody waited for: whose
   * it was is only known before the savepoint ends.
   */
  constructor(send: (sql: string) => void, undone: () => void, answered: () => Promise<void>) {
    this.#send = send;
    this.#undone = undone;
    this.#answered = answered;
  }

  async around<T>(work: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>> {
    const level = (this.#depth += 1);
    let accepted = false;
    try {
      const result = await work();
      if (this.#open >= level) await this.#answered();
      accepted = result.ok;
      return result;
    } finally {
      if (this.#open >= level) {
        if (!accepted) this.#send(`ROLLBACK TO SAVEPOINT level_${level}`);
        this.#send(`RELEASE SAVEPOINT level_${level}`);
        this.#open = level - 1;
        if (!accepted) this.#undone();
      }
      this.#depth = level - 1;
    }
  }

  beforeWrite(): void {
    this.writes += 1;
    for (; this.#open < this.#depth; this.#open += 1) this.#send(`SAVEPOINT level_${this.#open + 1}`);
  }

  reset(): void {
    this.#depth = 0;
    this.#open = 0;
  }
}
