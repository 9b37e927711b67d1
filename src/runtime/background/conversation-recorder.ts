import { createSerialQueue } from "../../kernel/serial-queue.ts";
import type { BackgroundParts } from "./background-worker.ts";

/** Long enough for the run that answers a message to start first. */
const DELAY_MS = 20;
/**
 * Where nodes share a store, the text of a day is a row that is written whole, and all nodes wait for each transaction:
 * what was said meanwhile is written with it.
 */
const SHARED_DELAY_MS = 500;
/** Every node hears of a message. The others only look whether the first one has written it. */
const OTHERS_DELAY_MS = 10_000;

/**
 * Writes direct messages to the conversation files of agents: shortly after each one, so that its answer need not wait
 * for a file, and once at the start, after a crash. A failed write is repeated with the next message or start.
 */
export function startConversationRecorder(parts: BackgroundParts): AsyncDisposable {
  const { clock, conversations, events, store, log, services } = parts;
  const queue = createSerialQueue((error, agent) => log.error("a conversation could not be kept", { agent, error }));
  const due = new Set<string>();
  const closing = new AbortController();

  const record = async (agent: string): Promise<void> => {
    const result = await conversations.record(agent);
    if (!result.ok) log.warn("a conversation could not be kept", { agent, reason: result.error.message });
  };
  const recordNow = (agent: string): void => {
    if (due.delete(agent)) queue.add(agent, () => record(agent));
  };
  const recordSoon = (agent: string): void => {
    if (due.has(agent)) return;
    due.add(agent);
    const shared = services.node.isLead() ? SHARED_DELAY_MS : OTHERS_DELAY_MS;
    clock.sleep(services.node.alone ? DELAY_MS : shared, closing.signal).then(
      () => recordNow(agent),
      () => {},
    );
  };

  const observing = events.observe((published) => {
    for (const event of published) {
      if (event.type === "message.posted" && !event.space.startsWith("@")) recordSoon(event.space);
      if (event.type === "agent.promoted") recordSoon(event.agent);
    }
  });
  queue
    .run(async () => {
      const behind = await store.read((reads) => reads.conversations.behind());
      for (const agent of behind) queue.add(agent, () => record(agent));
    })
    .catch((error: unknown) => log.error("the conversations that fell behind could not be found", { error }));

  return {
    async [Symbol.asyncDispose]() {
      observing[Symbol.dispose]();
      closing.abort();
      for (const agent of due) recordNow(agent);
      await queue.idle();
      await conversations.idle();
    },
  };
}
