import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";

interface Database {
  readonly isTransaction: boolean;
  prepare(sql: string): Statement;
}

interface Statement {
  run(): unknown;
}

type Level = Record<"open" | "undo" | "release", Statement>;

/**
 * Savepoints, opened only before the first write of the work they guard: work that only reads, or is refused before it
 * writes, needs none.
 */
export class Savepoints {
  readonly #db: Database;
  readonly #undone: () => void;
  readonly #levels: Level[] = [];
  #depth = 0;
  #open = 0;
  /** Grows with every write; two readings that differ mean that something was written between them. */
  writes = 0;

  /** `undone` is called after writes were undone. */
  constructor(db: Database, undone: () => void) {
    this.#db = db;
    this.#undone = undone;
  }

  async around<T>(work: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>> {
    const level = (this.#depth += 1);
    let accepted = false;
    try {
      const result = await work();
      accepted = result.ok;
      return result;
    } finally {
      // A transaction that SQLite itself rolled back has no savepoints left; then the whole group fails.
      if (this.#open >= level && this.#db.isTransaction) {
        if (!accepted) this.#level(level).undo.run();
        this.#level(level).release.run();
        this.#open = level - 1;
        if (!accepted) this.#undone();
      }
      this.#depth = level - 1;
    }
  }

  /** A savepoint could not be undone or released: only the whole group can be undone now. */
  get stuck(): boolean {
    return this.#depth > 0;
  }

  beforeWrite(): void {
    this.writes += 1;
    while (this.#open < this.#depth) {
      this.#level(this.#open + 1).open.run();
      this.#open += 1;
    }
  }

  reset(): void {
    this.#depth = 0;
    this.#open = 0;
  }

  #level(level: number): Level {
    return (this.#levels[level] ??= {
      open: this.#db.prepare(`SAVEPOINT level_${level}`),
      undo: this.#db.prepare(`ROLLBACK TO level_${level}`),
      release: this.#db.prepare(`RELEASE level_${level}`),
    });
  }
}
