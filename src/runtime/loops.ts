import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import { AgentLoop, type TakeNext } from "./agent-loop.ts";
import type { LoopState } from "./loop-state.ts";

/**
 * All loops of a project, made when their mailbox is first woken. Besides wakes, a slow look at the store finds work
 * whose wake was lost.
 */
export interface Loops extends AsyncDisposable {
  /** Payload-free and coalescing: the loop reads the store. */
  wake(mailboxes: Iterable<string>): void;
  state(mailbox: string): LoopState;
  /** Ends a loop until it is woken again. What it was doing is parked. */
  stop(mailbox: string): Promise<void>;
  /** Loops that are doing something right now. */
  busy(): readonly string[];
}

export interface LoopsParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly takeNext: (mailbox: string) => TakeNext;
  readonly mailboxesWithPending: () => Promise<readonly string[]>;
}

const LOOK_AGAIN_MS = 5_000;

export function startLoops(parts: LoopsParts): Loops {
  const loops = new Map<string, AgentLoop>();
  const closing = new AbortController();

  const wake = (mailboxes: Iterable<string>): void => {
    if (closing.signal.aborted) return;
    for (const mailbox of mailboxes) {
      const loop = loops.get(mailbox);
      if (loop !== undefined && loop.state.kind !== "stopped") {
        loop.wake();
        continue;
      }
      const fresh = loop ?? new AgentLoop({ ...parts, mailbox, takeNext: parts.takeNext(mailbox) });
      loops.set(mailbox, fresh);
      fresh.start();
    }
  };

  const lookAgain = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        wake(await parts.mailboxesWithPending());
      } catch (error) {
        parts.log.error("could not look for waiting work", { error });
      }
      await parts.clock.sleep(LOOK_AGAIN_MS, closing.signal).catch(() => {});
    }
  };
  const looking = lookAgain();

  return {
    wake,
    state: (mailbox) => loops.get(mailbox)?.state ?? { kind: "stopped" },
    stop: async (mailbox) => loops.get(mailbox)?.stop(),
    busy: () => [...loops.values()].filter(({ state }) => state.kind === "running").map(({ mailbox }) => mailbox),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all([looking, ...[...loops.values()].map((loop) => loop.stop())]);
    },
  };
}
