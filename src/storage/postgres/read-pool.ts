import { systemClock } from "../../kernel/clock.ts";
import { isLost, postgresFault } from "./postgres-fault.ts";
import type { ServerSettings } from "./server-settings.ts";
import type { ServerConnection } from "./server-connection.ts";

const AGAIN = Symbol("read again");

/** How long reads wait for a server that went away, counted from when it did: later ones are refused at once. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 200;

/**
 * Connections for reads, opened when they are needed, at most `limit`. A read sees one state throughout. One that loses
 * its connection before it has an answer is repeated: a tool must not fail because the server restarts.
 */
export class ReadPool {
  readonly #connect: () => Promise<ServerConnection>;
  readonly #limit: number;
  readonly #settings: ServerSettings;
  readonly #idle: ServerConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #goneSince: number | undefined;
  #isClosing = false;
  #drained: (() => void) | undefined;

  constructor(connect: () => Promise<ServerConnection>, limit: number, settings: ServerSettings) {
    this.#connect = connect;
    this.#limit = limit;
    this.#settings = settings;
  }

  async read<T>(work: (connection: ServerConnection) => Promise<T>): Promise<T> {
    while (this.#busy >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy += 1;
    try {
      for (;;) {
        const result = await this.#readOnce(work).catch((error: unknown) => this.#waitAfter(error));
        if (result !== AGAIN) return result;
      }
    } catch (error) {
      throw postgresFault(error, this.#settings);
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
      if (this.#busy === 0) this.#drained?.();
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#busy > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    await Promise.all(this.#idle.splice(0).map((connection) => connection.end()));
  }

  async #readOnce<T>(work: (connection: ServerConnection) => Promise<T>): Promise<T> {
    const connection = this.#takeIdle() ?? (await this.#connect());
    connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").catch(() => {});
    try {
      const result = await work(connection);
      this.#giveBack(connection, "COMMIT");
      this.#goneSince = undefined;
      return result;
    } catch (error) {
      if (isLost(error)) await connection.end();
      else this.#giveBack(connection, "ROLLBACK");
      throw error;
    }
  }

  /** Throws the error again, unless the server may be back soon. */
  async #waitAfter(error: unknown): Promise<typeof AGAIN> {
    if (!isLost(error)) throw error;
    for (const connection of this.#idle.splice(0)) void connection.end();
    const now = systemClock.monotonic();
    const isFirst = this.#goneSince === undefined;
    this.#goneSince ??= now;
    if (this.#isClosing || now > this.#goneSince + PATIENCE_MS) throw error;
    if (!isFirst) await systemClock.sleep(RETRY_MS);
    return AGAIN;
  }

  #takeIdle(): ServerConnection | undefined {
    let connection = this.#idle.pop();
    while (connection?.isEnded === true) connection = this.#idle.pop();
    return connection;
  }

  /** The next read may use it at once: the server does what it gets in order. */
  #giveBack(connection: ServerConnection, end: "COMMIT" | "ROLLBACK"): void {
    connection.execute(end).catch(() => {});
    if (!connection.isEnded) this.#idle.push(connection);
  }
}
