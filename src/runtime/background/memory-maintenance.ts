import { systemCaller } from "../../kernel/caller.ts";
import { createSerialQueue } from "../../kernel/serial-queue.ts";
import { archiveMemory } from "../../operations/memory/archive-memory.ts";
import { useMemory } from "../../operations/memory/use-memory.ts";
import type { BackgroundParts } from "./background-worker.ts";

const FIRST_ARCHIVING_MS = 60_000;
const ARCHIVING_MS = 86_400_000;
const ARCHIVED_AT_ONCE = 200;

/**
 * Removes forgotten memories from the index at once, records which memories were recalled, and archives old and unused
 * ones every day. A failed task is tried again the next time.
 */
export function startMemoryMaintenance(parts: BackgroundParts): AsyncDisposable {
  const { system, services, events, recalled, clock, log } = parts;
  const { personal, definitions, recall } = services;
  const closing = new AbortController();
  const queue = createSerialQueue();
  const enqueue = (action: string, agent: string, task: () => Promise<unknown>): void => {
    queue
      .run(async () => (closing.signal.aborted ? undefined : task()))
      .catch((error: unknown) => log.error(`could not ${action}`, { agent, error }));
  };

  const refresh = async (agent: string): Promise<void> => {
    const context = personal(agent);
    if (context.ok) await recall.refresh(agent, context.value);
  };
  const hasEmbedding = (agent: string): boolean => definitions.agent(agent)?.memory?.embedding !== undefined;
  const observing = events.observe((published) => {
    for (const event of published) {
      if (event.type === "memory.forgotten")
        enqueue("forget a memory in the index", event.agent, () => refresh(event.agent));
      // The vector of a new memory is computed before somebody searches for it.
      if (event.type === "memory.stored" && hasEmbedding(event.agent))
        enqueue("put a memory into the index", event.agent, () => refresh(event.agent));
      if (event.type === "agent.deleted")
        enqueue("take an agent out of the index", event.agent, () => recall.forget(event.agent));
    }
  });
  const observingRecalls = recalled.observe((recalls) => {
    for (const { agent, entries } of recalls)
      enqueue("take down what was recalled", agent, () =>
        system.propose(systemCaller, useMemory, { agent, entries: [...entries] }),
      );
  });

  for (const { name } of definitions.agents()) {
    if (hasEmbedding(name)) enqueue("bring the index up to date", name, () => refresh(name));
  }

  const archive = async (agent: string): Promise<void> => {
    const context = personal(agent);
    if (!context.ok || (await context.value.texts.files()).length === 0) return;
    for (let left = 1; left > 0;) {
      const archived = await system.propose(systemCaller, archiveMemory, { agent, limit: ARCHIVED_AT_ONCE });
      if (!archived.ok) log.warn("memories could not be archived", { agent, reason: archived.error.message });
      left = archived.ok && archived.value.entries.length > 0 && !closing.signal.aborted ? archived.value.left : 0;
    }
  };
  const archiveDaily = async (): Promise<void> => {
    for (let wait = FIRST_ARCHIVING_MS; ; wait = ARCHIVING_MS) {
      await clock.sleep(wait, closing.signal);
      if (!services.node.isLead()) continue;
      for (const { name } of definitions.agents()) {
        if (!definitions.isEphemeral(name)) enqueue("archive memories", name, () => archive(name));
      }
    }
  };
  archiveDaily().catch((error: unknown) => {
    if (!closing.signal.aborted) log.error("memories are no longer archived", { error });
  });

  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      observing[Symbol.dispose]();
      observingRecalls[Symbol.dispose]();
      await queue.idle();
    },
  };
}
