import type { RecordedEvent } from "../../domain/event.ts";
import { abortable } from "../../kernel/abortable.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import { isStillOpen } from "../../operations/workspaces/end-workflow.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** The starts that are in their setup. Closing the workspace of one ends its setup with all its processes. */
export interface CurrentStarts extends AsyncDisposable {
  /**
   * Does the work of a setup, after that of an earlier start of the same space has ended. Resolves with `stopped` as
   * soon as the workspace is closed; the signal ends the work then.
   */
  setUp<T>(opened: OpenedWorkspace, work: (signal: AbortSignal) => Promise<T>): Promise<T | "stopped">;
}

export interface OpenedWorkspace {
  readonly space: string;
  readonly openedAt: number;
}

interface Start {
  /** Stops the start when its workspace is closed. */
  readonly check: () => Promise<void>;
  readonly over: Promise<void>;
}

export function createCurrentStarts(
  events: EventHub<RecordedEvent>,
  read: <T>(work: (store: StoreReads) => Promise<T>) => Promise<T>,
): CurrentStarts {
  /** The last start of each space. */
  const starts = new Map<string, Start>();
  const observing = events.observe((published) => {
    for (const event of published) if (event.type === "workspace.closed") void starts.get(event.space)?.check();
  });

  return {
    async setUp({ space, openedAt }, work) {
      const earlier = starts.get(space)?.over;
      const stop = new AbortController();
      const working = (async () => {
        await earlier;
        stop.signal.throwIfAborted();
        return work(stop.signal);
      })();
      const over = working.then(
        () => {},
        () => {},
      );
      const check = async (): Promise<void> => {
        // A store that cannot be read stops the start too, at its next proposal.
        const isOpen = await read((store) => isStillOpen(store, space, openedAt)).catch(() => true);
        if (!isOpen) stop.abort();
      };
      const start = { check, over };
      starts.set(space, start);
      void over.then(() => {
        if (starts.get(space) === start) starts.delete(space);
      });
      // It may have been closed before this start was known here.
      void check();
      try {
        return await abortable(working, stop.signal);
      } catch (error) {
        if (stop.signal.aborted) return "stopped";
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      observing[Symbol.dispose]();
      await Promise.all([...starts.values()].map(({ over }) => over));
    },
  };
}
