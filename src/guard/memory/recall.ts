import { createSerialQueue, type SerialQueue } from "../../kernel/serial-queue.ts";
import type { FoundText, MemoryIndex, SearchOptions } from "../../ports/memory-index.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";
import type { Embedder } from "./embedder.ts";

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

export interface RecallRequest extends Omit<SearchOptions, "near"> {
  readonly question: string;
}

/** `embedder`: absent where texts are found by words alone. */
export function createRecall(index: MemoryIndex, embedder?: Embedder): Recall {
  const queues = new Map<string, SerialQueue>();
  /** Changes of an agent's index run one after another: otherwise two of them would add the same file twice. */
  const queueOf = (agent: string): SerialQueue => {
    const queue = queues.get(agent) ?? createSerialQueue();
    queues.set(agent, queue);
    return queue;
  };
  const refresh: Recall["refresh"] = async (agent, { texts }) => {
    await queueOf(agent).run(async () => {
      const indexed = new Map(index.stamps(agent));
      for (const { file, stamp } of await texts.files()) {
        const before = indexed.get(file);
        indexed.delete(file);
        if (before !== stamp) await index.put(agent, file, stamp, await texts.read(file));
      }
      for (const gone of indexed.keys()) await index.drop(agent, gone);
    });
    embedder?.schedule(agent);
  };

  return {
    refresh,
    async search(agent, context, { question, ...options }) {
      const asked = embedder?.question(agent, question);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await refresh(agent, context);
        const near = await asked;
        const found = await index.search(agent, question, near === undefined ? options : { ...options, near });
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
