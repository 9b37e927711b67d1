import type { PrunedView } from "../../contract/storage/stored-data.ts";
import { systemCaller } from "../../kernel/caller.ts";
import { pruneStore } from "../../operations/storage/prune-store.ts";
import type { BackgroundParts } from "./background-worker.ts";

const FIRST_PRUNING_MS = 5 * 60_000;
const PRUNING_MS = 60 * 60_000;
/** Between two parts, so that old data never takes the disk from new messages. */
const PAUSE_MS = 50;

/** Removes old data every hour, in short transactions. What is left after a stop is found by the next one. */
export function startRetention({ system, services, clock, log }: BackgroundParts): AsyncDisposable {
  const closing = new AbortController();

  const prune = async (): Promise<void> => {
    const removed: PrunedView[] = [];
    for (let after: string | undefined; ;) {
      const part = await system.propose(systemCaller, pruneStore, after === undefined ? {} : { after });
      if (!part.ok) throw new Error(part.error.message);
      removed.push(part.value.pruned);
      if (part.value.next === null) break;
      after = part.value.next;
      await clock.sleep(PAUSE_MS, closing.signal);
    }
    const sums = totals(removed);
    if (Object.values(sums).some((count) => count > 0)) log.info("old data was removed", sums);
  };

  const pruneHourly = async (): Promise<void> => {
    for (let wait = FIRST_PRUNING_MS; ; wait = PRUNING_MS) {
      await clock.sleep(wait, closing.signal);
      if (!services.node.isLead()) continue;
      try {
        await prune();
      } catch (error) {
        if (closing.signal.aborted) return;
        log.warn("old data could not be removed", { error });
      }
    }
  };
  const pruning = pruneHourly().catch(() => {});

  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await pruning;
    },
  };
}

function totals(parts: readonly PrunedView[]) {
  const sum = (count: (part: PrunedView) => number): number => parts.reduce((all, part) => all + count(part), 0);
  return {
    transcripts: sum(({ transcripts }) => transcripts.runs),
    events: sum(({ events }) => events.count),
    workspaces: sum(({ workspaces }) => workspaces.count),
    messages: sum(({ workspaces }) => workspaces.messages),
    deadLetters: sum(({ deadLetters }) => deadLetters.count),
    bytes: sum(({ transcripts, events, workspaces }) => transcripts.bytes + events.bytes + workspaces.bytes),
  };
}
