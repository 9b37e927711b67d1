import type { FoundText, MemoryIndex } from "../../ports/memory-index.ts";
import type { MemoryTier, PersonalContext } from "../../ports/personal-context.ts";

/**
 * Finds what an agent knows. The files are the truth: before each search the index is brought up to what they hold now,
 * which costs a look at their dates, and reading only those that changed. Whoever deleted or damaged the index in the
 * meantime only makes this take longer.
 */
export interface Recall {
  search(agent: string, context: PersonalContext, wanted: Recalled): Promise<readonly FoundText[]>;
  /** Brings the index up to date: what was forgotten is gone from it, too. */
  refresh(agent: string, context: PersonalContext): Promise<void>;
  /** Takes an agent out of the index that is no more. */
  forget(agent: string): Promise<void>;
}

export interface Recalled {
  readonly question: string;
  readonly limit: number;
  readonly now: number;
  readonly tier?: MemoryTier;
}

export function createRecall(index: MemoryIndex): Recall {
  const refreshing = new Map<string, Promise<void>>();
  /** One after another for an agent: two that put the same file in would put it in twice. */
  const inTurn = (agent: string, work: () => Promise<void>): Promise<void> => {
    const turn = (refreshing.get(agent) ?? Promise.resolve()).catch(() => {}).then(work);
    refreshing.set(agent, turn);
    const over = (): void => void (refreshing.get(agent) === turn && refreshing.delete(agent));
    turn.then(over, over);
    return turn;
  };
  const refresh: Recall["refresh"] = (agent, { texts }) =>
    inTurn(agent, async () => {
      const held = new Map(index.stamps(agent));
      for (const { file, stamp } of texts.files()) {
        const before = held.get(file);
        held.delete(file);
        if (before !== stamp) await index.put(agent, file, stamp, await texts.read(file));
      }
      for (const gone of held.keys()) await index.drop(agent, gone);
    });

  return {
    refresh,
    async search(agent, context, { question, ...wanted }) {
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await refresh(agent, context);
        const found = await index.search(agent, question, wanted);
        if (found !== null) return found;
      }
      return [];
    },
    forget: (agent) =>
      inTurn(agent, async () => {
        for (const file of index.stamps(agent).keys()) await index.drop(agent, file);
      }),
  };
}
