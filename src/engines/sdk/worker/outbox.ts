import type { FromWorker } from "../protocol.ts";

/**
 * Writes the worker's messages. Messages of one turn of the event loop go out in one write, and a sign of life is sent
 * only when there is no other message, so that a stream of small events costs the engine few reads.
 */
export interface Outbox {
  send(message: FromWorker): void;
  alive(): void;
  /** Resolves when the engine has read what was sent, so that a slow reader slows the writer down. */
  drained(): Promise<void>;
}

/** More lines are not collected: one turn of the event loop can read a whole answer of the model. */
const MAX_LINES = 64;

export function createOutbox(stream: NodeJS.WriteStream): Outbox {
  let lines: string[] = [];
  let scheduled = false;
  let draining: Promise<void> | undefined;

  const flush = (): void => {
    const text = lines.length === 0 ? '{"type":"alive"}\n' : lines.join("");
    lines = [];
    if (!stream.write(text) && draining === undefined) {
      draining = new Promise((resolve) => {
        stream.once("drain", () => {
          draining = undefined;
          resolve();
        });
      });
    }
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      flush();
    });
  };

  return {
    send: (message) => {
      lines.push(`${JSON.stringify(message)}\n`);
      if (lines.length >= MAX_LINES) flush();
      else schedule();
    },
    alive: schedule,
    drained: () => draining ?? Promise.resolve(),
  };
}
