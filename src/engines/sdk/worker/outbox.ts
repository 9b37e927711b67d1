import { systemClock } from "../../../kernel/clock.ts";
import type { FromWorker } from "../protocol.ts";

/**
 * Writes the worker's messages. Messages of one turn of the event loop go out in one write, and a sign of life is sent
 * only when the session has no other message. Words of models wait a moment for those of other sessions, unless nothing
 * was written lately, so that a hundred streams cost the engine few reads. What nobody waits for goes out with the next
 * message, or a moment later: a model that answers at once costs one write for each step.
 */
export interface Outbox {
  send(message: FromWorker): void;
  /** For a message that the engine need not get at once. A later one of the same session takes its place. */
  sendLater(message: FromWorker & { readonly session: number }): void;
  alive(session: number): void;
  /** Resolves when the engine has read what was sent, so that a slow reader slows the writer down. */
  drained(): Promise<void>;
}

/** More lines are not collected: one turn of the event loop can read a whole answer of the model. */
const MAX_LINES = 64;
const READ: Promise<void> = Promise.resolve();
/** The engine counts seconds by these messages. */
const LATER_MS = 20;
/** A person who reads along notices no difference. */
const WORDS_MS = 25;

export function createOutbox(stream: NodeJS.WriteStream): Outbox {
  let lines: string[] = [];
  const later = new Map<number, string>();
  let isLater = false;
  const alive = new Set<number>();
  let scheduled = false;
  let wordsWait = false;
  let writtenAt = -Infinity;
  let draining: Promise<void> | undefined;

  const flush = (): void => {
    for (const session of alive) lines.push(`{"type":"alive","session":${session}}\n`);
    alive.clear();
    const text = [...later.values(), ...lines].join("");
    later.clear();
    lines = [];
    writtenAt = systemClock.monotonic();
    if (text !== "" && !stream.write(text) && draining === undefined) {
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

  const scheduleWords = (): void => {
    if (scheduled || wordsWait) return;
    const wait = writtenAt + WORDS_MS - systemClock.monotonic();
    if (wait <= 0) return schedule();
    wordsWait = true;
    void systemClock.sleep(wait).then(() => {
      wordsWait = false;
      flush();
    });
  };

  const scheduleLater = (): void => {
    if (isLater) return;
    isLater = true;
    void systemClock.sleep(LATER_MS).then(() => {
      isLater = false;
      if (later.size > 0) flush();
    });
  };

  return {
    sendLater: (message) => {
      later.set(message.session, `${JSON.stringify(message)}\n`);
      scheduleLater();
    },
    send: (message) => {
      if (alive.size > 0 && "session" in message) alive.delete(message.session);
      lines.push(`${JSON.stringify(message)}\n`);
      if (lines.length >= MAX_LINES) flush();
      else if (message.type === "event" && message.event.type === "text") scheduleWords();
      else schedule();
    },
    alive: (session) => {
      alive.add(session);
      scheduleWords();
    },
    drained: () => draining ?? READ,
  };
}
