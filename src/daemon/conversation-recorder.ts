import type { RecordedEvent } from "../domain/event.ts";
import { system as theSystem } from "../kernel/caller.ts";
import type { EventHub } from "../kernel/event-hub.ts";
import type { Log } from "../kernel/log.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import type { System } from "../kernel/system.ts";
import type { Facilities, Product } from "../operations/define.ts";
import { recordConversation } from "../operations/record-conversation.ts";
import type { Store } from "../ports/store/store.ts";

/**
 * Keeps the conversation files of agents up to date: after each direct message, and once at the start for what a crash
 * left out. The files follow the store; when one cannot be written the log says so, and the next message or the next
 * start tries again. Everything that changes the files happens here, one thing after another: a message that is on its
 * way into a file while the file is set aside must not come back.
 */
export interface ConversationRecorder extends AsyncDisposable {
  /** Sets the agent's files aside, once everything said so far is in them, and answers with their new names. */
  setAside(agent: string): Promise<Result<readonly string[], Refusal>>;
}

export function startConversationRecorder(parts: {
  readonly system: System<Product>;
  readonly personal: Facilities["personal"];
  readonly events: EventHub<RecordedEvent>;
  readonly store: Store;
  readonly log: Log;
}): ConversationRecorder {
  const { system, personal, events, store, log } = parts;
  const queued = new Set<string>();
  let work: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const turn = work.then(task);
    work = turn.catch(() => {});
    return turn;
  };

  const record = async (agent: string): Promise<Result<undefined, Refusal>> => {
    queued.delete(agent);
    for (;;) {
      const result = await system.propose(theSystem, recordConversation, { agent });
      if (!result.ok) return result;
      if (!result.value.more) return ok(undefined);
    }
  };

  const enqueue = (agent: string): void => {
    if (queued.has(agent)) return;
    queued.add(agent);
    inTurn(() => record(agent)).then(
      (result) => {
        if (!result.ok) log.warn("a conversation could not be kept", { agent, reason: result.error.message });
      },
      (error: unknown) => log.error("a conversation could not be kept", { agent, error }),
    );
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
      for (let before; before !== work;) {
        before = work;
        await work;
      }
    },
  };
}
