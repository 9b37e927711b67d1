import { createSerialQueue, type SerialQueue } from "../../kernel/serial-queue.ts";
import type { FoundText, MemoryIndex } from "../../ports/memory-index.ts";
import type { MemoryTier, PersonalContext } from "../../ports/personal-context.ts";

/**
 * Finds what an agent knows. The files are the source of truth: before each search the index is brought up to date,
 * which checks their dates and reads those that changed. A deleted or damaged index only makes this take longer.
 */
export interface Recall {
  search(agent: string, context: PersonalContext, query: RecallRequest): Promise<readonly FoundText[]>;
  /** Brings the index up to date; what was forgotten is removed from it. */
  refresh(agent: string, context: PersonalContext): Promise<void>;
  /** Removes a deleted agent from the index. */
  forget(agent: string): Promise<void>;
}

export interface RecallRequest {
  readonly question: string;
  readonly limit: number;
  readonly now: number;
  readonly tier?: MemoryTier;
}

export function createRecall(index: MemoryIndex): Recall {
  const queues = new Map<string, SerialQueue>();
  /** Changes of an agent's index run one after another: otherwise two of them would add the same file twice. */
  const queueOf = (agent: string): SerialQueue => {
    const queue = queues.get(agent) ?? createSerialQueue();
    queues.set(agent, queue);
    return queue;
  };
  const refresh: Recall["refresh"] = (agent, { texts }) =>
    queueOf(agent).run(async () => {
      const indexed = new Map(index.stamps(agent));
      for (const { file, stamp } of texts.files()) {
        const before = indexed.get(file);
        indexed.delete(file);
        if (before !== stamp) await index.put(agent, file, stamp, await texts.read(file));
      }
      for (const gone of indexed.keys()) await index.drop(agent, gone);
    });

  return {
    refresh,
    async search(agent, context, { question, ...options }) {
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await refresh(agent, context);
        const found = await index.search(agent, question, options);
        if (found !== null) return found;
      }
      return [];
    },
    forget: (agent) =>
      queueOf(agent).run(async () => {
        for (const file of index.stamps(agent).keys()) await index.drop(agent, file);
      }),
  };
}
