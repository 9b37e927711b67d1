import { isLost, postgresFault } from "./postgres-fault.ts";
import type { ServerSettings } from "./server-settings.ts";
import type { ServerConnection } from "./server-connection.ts";

/**
 * Connections for reads, opened when they are needed, at most `limit`. A read sees one state throughout. One that loses
 * its connection before it has an answer is repeated once.
 */
export class ReadPool {
  readonly #connect: () => Promise<ServerConnection>;
  readonly #limit: number;
  readonly #address: ServerSettings;
  readonly #idle: ServerConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #drained: (() => void) | undefined;

  constructor(connect: () => Promise<ServerConnection>, limit: number, address: ServerSettings) {
    this.#connect = connect;
    this.#limit = limit;
    this.#address = address;
  }

  async read<T>(work: (session: ServerConnection) => Promise<T>): Promise<T> {
    while (this.#busy >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy += 1;
    try {
      return await this.#readOnce(work).catch((error: unknown) => {
        if (!isLost(error)) throw error;
        for (const session of this.#idle.splice(0)) void session.end();
        return this.#readOnce(work);
      });
    } catch (error) {
      throw postgresFault(error, this.#address);
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
      if (this.#busy === 0) this.#drained?.();
    }
  }

  async close(): Promise<void> {
    if (this.#busy > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    await Promise.all(this.#idle.splice(0).map((session) => session.end()));
  }

  async #readOnce<T>(work: (session: ServerConnection) => Promise<T>): Promise<T> {
    const session = this.#takeIdle() ?? (await this.#connect());
    session.client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").catch(() => {});
    try {
      const result = await work(session);
      this.#giveBack(session, "COMMIT");
      return result;
    } catch (error) {
      if (isLost(error)) await session.end();
      else this.#giveBack(session, "ROLLBACK");
      throw error;
    }
  }

  #takeIdle(): ServerConnection | undefined {
    let session = this.#idle.pop();
    while (session?.isEnded === true) session = this.#idle.pop();
    return session;
  }

  /** The next read may use it at once: the server does what it gets in order. */
  #giveBack(session: ServerConnection, end: "COMMIT" | "ROLLBACK"): void {
    session.client.query(end).catch(() => {});
    if (!session.isEnded) this.#idle.push(session);
  }
}
