import { fullJitter } from "../../kernel/backoff.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import { STOPPED, transition, type LoopInput, type LoopState } from "./loop-state.ts";

/**
 * Executes the next run, if there is one. `again`: look for another at once. `nextDue`: when to look otherwise.
 * `stopped`: a person stopped the agent, and nothing new has come for it.
 */
export type TakeNext = (
  signal: AbortSignal,
) => Promise<{ readonly again: boolean; readonly nextDue: number | null; readonly stopped?: boolean }>;

export interface LoopParts {
  readonly mailbox: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly takeNext: TakeNext;
  /** Called when the loop has nothing left to do. The callback may stop the loop. */
  readonly onIdle?: () => void;
}

/** A timer longer than the machine supports would fire at once, and an early one that finds nothing costs little. */
const LONGEST_ALARM_MS = 60 * 60_000;

/**
 * The only consumer of a mailbox. It holds no work in memory but reads it from the store, so a lost wake only delays
 * the work.
 */
export class AgentLoop {
  readonly mailbox: string;
  #state: LoopState = STOPPED;
  #failures = 0;
  #aborter = new AbortController();
  /** The latest call of `#work`, which may have ended. */
  #working: Promise<void> = Promise.resolve();
  #alarm: AbortController | undefined;
  readonly #parts: LoopParts;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.mailbox = parts.mailbox;
  }

  get state(): LoopState {
    return this.#state;
  }

  start(): void {
    this.#aborter = new AbortController();
    this.#apply("start");
  }

  wake(): void {
    this.#apply("wake");
  }

  /** Resolves when the loop does nothing any more. The run it was executing yields. */
  async stop(): Promise<void> {
    this.#alarm?.abort();
    this.#apply("stop");
    for (let before: Promise<void> | undefined; before !== this.#working;) {
      before = this.#working;
      await before;
    }
    this.#apply("ended");
  }

  #apply(input: LoopInput): void {
    const { state, effect } = transition(this.#state, input, this.#failures);
    const becameIdle = state.kind === "idle" && this.#state.kind !== "idle";
    this.#state = state;
    if (effect === "look") this.#working = this.#work();
    if (effect === "abort") this.#aborter.abort(new DOMException("The loop was stopped.", "AbortError"));
    if (effect === "wait-and-retry") this.#retryLater();
    if (becameIdle) this.#parts.onIdle?.();
  }

  /** Never rejects: a failure is a state of the loop. */
  async #work(): Promise<void> {
    this.#alarm?.abort();
    // The transition that led here is finished before work starts: a wake from within sets `woken` and does not nest.
    await Promise.resolve();
    try {
      for (;;) {
        const { again, nextDue, stopped = false } = await this.#parts.takeNext(this.#aborter.signal);
        this.#failures = 0;
        if (this.#state.kind !== "running") return;
        if (stopped) return this.#apply("found-stopped");
        if (again) continue;
        if (nextDue !== null) this.#wakeAt(nextDue);
        break;
      }
    } catch (error) {
      if (this.#state.kind !== "running") return;
      this.#parts.log.error("a loop failed", { mailbox: this.mailbox, failures: this.#failures + 1, error });
      this.#apply("failed");
      this.#failures += 1;
      return;
    }
    this.#apply("found-nothing");
  }

  #retryLater(): void {
    const wait = 100 + fullJitter({ attempt: this.#failures, baseMs: 500, capMs: 60_000, random: this.#parts.random });
    this.#alarmIn(wait, "retry");
  }

  #wakeAt(time: number): void {
    this.#alarmIn(Math.max(0, time - this.#parts.clock.now()), "wake");
  }

  #alarmIn(ms: number, input: LoopInput): void {
    this.#alarm?.abort();
    const alarm = (this.#alarm = new AbortController());
    this.#parts.clock.sleep(Math.min(ms, LONGEST_ALARM_MS), alarm.signal).then(
      () => this.#apply(input),
      () => {},
    );
  }
}
