import type { RecordedEvent } from "../../domain/event.ts";
import { systemCaller } from "../../kernel/caller.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import type { Log } from "../../kernel/log.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { System } from "../../kernel/system.ts";
import type { Services, ProductTypes } from "../../operations/core/define.ts";
import { recordConversation } from "../../operations/conversations/record-conversation.ts";
import type { Store } from "../../ports/store/store.ts";

/**
 * Keeps the conversation files of agents up to date: after each direct message, and once at the start for what a crash
 * left out. The files follow the store, a moment later, so that the answer need not wait for them; when one cannot be
 * written the log says so, and the next message or the next start tries again. Everything that changes the files happens here, one thing after another: a message that is on its
 * way into a file while the file is set aside must not come back.
 */
export interface ConversationRecorder extends AsyncDisposable {
  /** Sets the agent's files aside, once everything said so far is in them, and answers with their new names. */
  setAside(agent: string): Promise<Result<readonly string[], Refusal>>;
}

/** An agent that is asked something is at work by then. */
const WAIT_MS = 20;

export function startConversationRecorder(parts: {
  readonly clock: Clock;
  readonly system: System<ProductTypes>;
  readonly personal: Services["personal"];
  readonly events: EventHub<RecordedEvent>;
  readonly store: Store;
  readonly log: Log;
}): ConversationRecorder {
  const { clock, system, personal, events, store, log } = parts;
  const queued = new Map<string, Promise<void>>();
  const closing = new AbortController();
  let work: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const turn = work.then(task);
    work = turn.catch(() => {});
    return turn;
  };

  const record = async (agent: string): Promise<Result<undefined, Refusal>> => {
    for (;;) {
      const result = await system.propose(systemCaller, recordConversation, { agent });
      if (!result.ok) return result;
      if (!result.value.more) return ok(undefined);
    }
  };

  const recordSoon = async (agent: string): Promise<void> => {
    await clock.sleep(WAIT_MS, closing.signal).catch(() => {});
    try {
      const result = await inTurn(() => {
        queued.delete(agent);
        return record(agent);
      });
      if (!result.ok) log.warn("a conversation could not be kept", { agent, reason: result.error.message });
    } catch (error) {
      log.error("a conversation could not be kept", { agent, error });
    }
  };

  const enqueue = (agent: string): void => {
    if (!queued.has(agent)) queued.set(agent, recordSoon(agent));
  };

  const observing = events.observe((published) => {
    for (const event of published) {
      if (event.type === "message.posted" && !event.space.startsWith("@")) enqueue(event.space);
    }
  });
  inTurn(() => store.read((reads) => reads.conversations.behind())).then(
    (agents) => agents.forEach(enqueue),
    (error: unknown) => log.error("the conversations that fell behind could not be found", { error }),
  );

  return {
    setAside: (agent) =>
      inTurn(async () => {
        const recorded = await record(agent);
        if (!recorded.ok) return recorded;
        const context = personal(agent);
        return context.ok ? context.value.conversations.setAside() : context;
      }),
    async [Symbol.asyncDispose]() {
      observing[Symbol.dispose]();
      closing.abort();
      for (let before; before !== work || queued.size > 0;) {
        before = work;
        await Promise.all([work, ...queued.values()]);
      }
    },
  };
}
