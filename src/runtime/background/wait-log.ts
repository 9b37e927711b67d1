import type { RecordedEvent } from "../../domain/event.ts";
import { createSerialQueue } from "../../kernel/serial-queue.ts";
import { waitOf } from "../../operations/runs/waiting-runs.ts";
import type { BackgroundParts } from "./background-worker.ts";

/** Writes a line to the log when a run begins to wait, and one when it goes on. */
export function startWaitLog({ events, store, log, dir }: BackgroundParts): AsyncDisposable {
  const queue = createSerialQueue((error, run) => log.error("a run waits, and why cannot be read", { run, error }));

  const logWait = async (id: string): Promise<void> => {
    const wait = await store.read(async (reads) => {
      const run = await reads.runs.byId(id);
      return run === undefined ? null : waitOf(reads, run);
    });
    if (wait === null) return;
    const { agent, space, run, waitsFor, until, reason, next } = wait;
    log.warn("a run waits", { agent, space, run, waitsFor, until, reason, next, project: dir });
  };
  const logEvent = (event: RecordedEvent): void => {
    if (event.type === "run.waits") queue.add(event.run, () => logWait(event.run));
    if (event.type !== "run.resumed") return;
    const { agent, space, run } = event;
    log.warn("a run goes on", { agent, space, run, project: dir });
  };

  const observing = events.observe((published) => published.forEach(logEvent));
  return {
    async [Symbol.asyncDispose]() {
      observing[Symbol.dispose]();
      await queue.idle();
    },
  };
}
