import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import { AgentLoop, type TakeNext } from "./agent-loop.ts";
import type { LoopState } from "./loop-state.ts";

/**
 * All loops of a project, each created when its mailbox is first woken. Work whose wake was lost is found by reading the
 * store every few seconds.
 */
export interface Loops extends AsyncDisposable {
  /** Wakes have no payload and coalesce: the loop reads the store. */
  wake(mailboxes: Iterable<string>): void;
  /** Looks for waiting work at once. A loop that was stopped stays stopped: what waits for it is not new. */
  lookAgain(): Promise<void>;
  /** Idle for a mailbox that has no loop. */
  state(mailbox: string): LoopState;
  /** Stops a loop until its mailbox is woken again. Its run yields. */
  stop(mailbox: string): Promise<void>;
  /** Ends a loop after the run it executes: its mailbox was removed with its workspace. */
  retire(mailbox: string): void;
  readonly size: number;
}

export interface LoopsParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly takeNext: (mailbox: string) => TakeNext;
  readonly mailboxesWithPending: () => Promise<readonly string[]>;
}

const CHECK_AGAIN_MS = 5_000;

export function startLoops(parts: LoopsParts): Loops {
  const { clock, random, log } = parts;
  const loops = new Map<string, AgentLoop>();
  const retiring = new Set<string>();
  const closing = new AbortController();

  const end = (mailbox: string): void => {
    const loop = loops.get(mailbox);
    loops.delete(mailbox);
    retiring.delete(mailbox);
    loop?.stop().catch((error: unknown) => log.error("a loop did not end", { mailbox, error }));
  };

  const open = (mailbox: string): AgentLoop => {
    const onIdle = (): void => {
      if (retiring.has(mailbox)) end(mailbox);
    };
    const loop = new AgentLoop({ mailbox, clock, random, log, takeNext: parts.takeNext(mailbox), onIdle });
    loops.set(mailbox, loop);
    return loop;
  };

  const wake = (mailboxes: Iterable<string>): void => {
    if (closing.signal.aborted) return;
    for (const mailbox of mailboxes) {
      const loop = loops.get(mailbox) ?? open(mailbox);
      if (loop.state.kind === "stopped") loop.start();
      else loop.wake();
    }
  };

  const lookAgain = async (): Promise<void> => {
    try {
      wake((await parts.mailboxesWithPending()).filter((mailbox) => loops.get(mailbox)?.state.kind !== "stopped"));
    } catch (error) {
      log.error("could not look for waiting work", { error });
    }
  };

  const pollPending = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await lookAgain();
      await clock.sleep(CHECK_AGAIN_MS, closing.signal).catch(() => {});
    }
  };
  const polling = pollPending();

  return {
    wake,
    lookAgain,
    state: (mailbox) => loops.get(mailbox)?.state ?? { kind: "idle" },
    stop: async (mailbox) => (loops.get(mailbox) ?? open(mailbox)).stop(),
    retire(mailbox) {
      const busy = loops.get(mailbox)?.state.kind === "running";
      if (busy) retiring.add(mailbox);
      else end(mailbox);
    },
    get size() {
      return loops.size;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all([polling, ...[...loops.values()].map((loop) => loop.stop())]);
    },
  };
}
