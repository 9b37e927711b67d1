import type { RecordedEvent } from "../../domain/event.ts";
import type { Recall } from "../../guard/memory/recall.ts";
import { systemCaller } from "../../kernel/caller.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import type { Log } from "../../kernel/log.ts";
import type { System } from "../../kernel/system.ts";
import { archiveMemory } from "../../operations/memory/archive-memory.ts";
import type { Services, ProductTypes } from "../../operations/core/define.ts";
import { useMemory } from "../../operations/memory/use-memory.ts";

/**
 * What happens to memories beside the work, one thing after another: what was forgotten leaves the index at once, what
 * was recalled is taken down, and every day what is old and unused goes to the archive. Nobody waits for any of it, and
 * what fails is tried again the next time.
 */
export interface MemoryMaintenance extends AsyncDisposable {
  recalled(agent: string, entries: readonly string[]): void;
}

const FIRST_ARCHIVING_MS = 60_000;
const ARCHIVING_MS = 86_400_000;

export function startMemoryMaintenance(parts: {
  readonly system: System<ProductTypes>;
  readonly services: Pick<Services, "personal" | "definitions">;
  readonly recall: Recall;
  readonly events: EventHub<RecordedEvent>;
  readonly clock: Clock;
  readonly log: Log;
}): MemoryMaintenance {
  const { system, services, recall, events, clock, log } = parts;
  const closing = new AbortController();
  let work: Promise<unknown> = Promise.resolve();
  const enqueue = (what: string, agent: string, task: () => Promise<unknown>): void => {
    work = work
      .then(() => (closing.signal.aborted ? undefined : task()))
      .catch((error: unknown) => log.error(`could not ${what}`, { agent, error }));
  };

  const refresh = async (agent: string): Promise<void> => {
    const context = services.personal(agent);
    if (context.ok) await recall.refresh(agent, context.value);
  };
  const observing = events.observe((published) => {
    for (const event of published) {
      if (event.type === "memory.forgotten")
        enqueue("forget a memory in the index", event.agent, () => refresh(event.agent));
      if (event.type === "agent.deleted")
        enqueue("take an agent out of the index", event.agent, () => recall.forget(event.agent));
    }
  });

  const archive = async (agent: string): Promise<void> => {
    const context = services.personal(agent);
    if (!context.ok || context.value.texts.files().length === 0) return;
    const archived = await system.propose(systemCaller, archiveMemory, { agent });
    if (!archived.ok) log.warn("memories could not be archived", { agent, reason: archived.error.message });
  };
  const archiveDaily = async (): Promise<void> => {
    for (let wait = FIRST_ARCHIVING_MS; ; wait = ARCHIVING_MS) {
      await clock.sleep(wait, closing.signal);
      for (const { name } of services.definitions.agents()) {
        if (!services.definitions.isEphemeral(name)) enqueue("archive memories", name, () => archive(name));
      }
    }
  };
  archiveDaily().catch((error: unknown) => {
    if (!closing.signal.aborted) log.error("memories are no longer archived", { error });
  });

  return {
    recalled(agent, entries) {
      if (entries.length === 0) return;
      enqueue("take down what was recalled", agent, () =>
        system.propose(systemCaller, useMemory, { agent, entries: [...entries] }),
      );
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      observing[Symbol.dispose]();
      await work;
    },
  };
}
