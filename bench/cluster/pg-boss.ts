import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** What the bench uses of pg-boss, which is installed in `test/postgres` and not known to the compiler. */
export interface Boss {
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  on(event: "error", listener: (error: Error) => void): void;
  createQueue(name: string, options: object): Promise<void>;
  send(name: string, data: object, options: object): Promise<string | null>;
  work(
    name: string,
    options: object,
    handler: (jobs: readonly { readonly data: unknown }[]) => Promise<unknown>,
  ): Promise<string>;
}

export const QUEUE = "turns";

/** At most one active job for each mailbox; the shortest heartbeat that pg-boss allows. */
const QUEUE_OPTIONS = { policy: "singleton", notify: true, heartbeatSeconds: 10, retryLimit: 5 };

/** With the shortest intervals that pg-boss allows, and LISTEN. `idle`: with its own defaults and LISTEN. */
export async function startBoss(url: string, settings: "shortest" | "idle" = "shortest"): Promise<Boss> {
  const from = createRequire(new URL("../../test/postgres/package.json", import.meta.url));
  const { PgBoss } = (await import(pathToFileURL(from.resolve("pg-boss")).href)) as {
    readonly PgBoss: new (options: object) => Boss;
  };
  const intervals = settings === "shortest" ? { superviseIntervalSeconds: 1, monitorIntervalSeconds: 1 } : {};
  const boss = new PgBoss({ connectionString: url, useListenNotify: true, ...intervals });
  boss.on("error", (error) => console.error(error.message));
  await boss.start();
  await boss.createQueue(QUEUE, QUEUE_OPTIONS).catch(() => {});
  return boss;
}
