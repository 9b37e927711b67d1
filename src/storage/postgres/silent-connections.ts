import { systemClock } from "../../kernel/clock.ts";
import { isLost, postgresFault } from "./postgres-fault.ts";
import type { ServerConnection } from "./server-connection.ts";
import type { ServerSettings } from "./server-settings.ts";

const LOOK_MS = 2_000;
/** So many looks in a row without a byte, although the server was asked, make a connection suspect. */
const SILENT_LOOKS = 2;

/**
 * Ends connections that are dead without anybody having said so: where the network drops all packets, a statement would
 * wait for as long as the system sends it again, which is a quarter of an hour. A server that waits for a lock is silent,
 * too. So a suspect is ended only when the server cannot be reached, or says that it has no such session.
 */
export class SilentConnections {
  readonly #settings: ServerSettings;
  readonly #connect: () => Promise<ServerConnection>;
  readonly #watched = new Map<ServerConnection, { readonly answers: number; readonly looks: number }>();
  readonly #stopped = new AbortController();

  constructor(settings: ServerSettings, connect: () => Promise<ServerConnection>) {
    this.#settings = settings;
    this.#connect = connect;
    void this.#lookOn().catch(() => {});
  }

  /** Watches a connection until it ends. */
  watch(connection: ServerConnection): ServerConnection {
    this.#watched.set(connection, { answers: connection.receivedBytes, looks: 0 });
    return connection;
  }

  close(): void {
    this.#stopped.abort();
  }

  async #lookOn(): Promise<void> {
    for (;;) {
      await systemClock.sleep(LOOK_MS, this.#stopped.signal);
      const suspects = this.#findSuspects();
      if (suspects.length > 0) await this.#endDead(suspects);
    }
  }

  #findSuspects(): ServerConnection[] {
    const suspects: ServerConnection[] = [];
    for (const [connection, { answers, looks }] of this.#watched) {
      const now = connection.receivedBytes;
      if (connection.isEnded) this.#watched.delete(connection);
      else {
        const silent = connection.isAsked && now === answers ? looks + 1 : 0;
        this.#watched.set(connection, { answers: now, looks: silent });
        if (silent >= SILENT_LOOKS) suspects.push(connection);
      }
    }
    return suspects;
  }

  async #endDead(suspects: readonly ServerConnection[]): Promise<void> {
    const there = await this.#sessionsOf(suspects);
    if (this.#stopped.signal.aborted || there === undefined) return;
    for (const connection of suspects) if (!there.has(connection.session)) connection.destroy();
  }

  /** The sessions of these that the server has; none when it cannot be reached, undefined when it does not say. */
  async #sessionsOf(suspects: readonly ServerConnection[]): Promise<ReadonlySet<number> | undefined> {
    let probe: ServerConnection | undefined;
    try {
      probe = await this.#connect();
      const numbers = suspects.map(({ session }) => session).join(", ");
      const rows = await probe.execute(`SELECT pid FROM pg_stat_activity WHERE pid IN (${numbers})`);
      return new Set(rows.map(({ pid }) => Number(pid)));
    } catch (error) {
      return isLost(postgresFault(error, this.#settings)) ? new Set() : undefined;
    } finally {
      probe?.destroy();
    }
  }
}
