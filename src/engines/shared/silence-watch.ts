import type { SilenceLimits } from "../../domain/agent/definition.ts";
import type { Clock } from "../../kernel/clock.ts";

/** How long a program may write nothing, until its first output and between two outputs, and how long a turn may take. */
export interface ProgramTimeouts {
  readonly startMs: number;
  readonly idleMs: number;
  /** Absent: as long as it writes. */
  readonly turnMs?: number;
}

/** Long, because a program writes nothing while it runs a long command of its own. */
export const DEFAULT_TIMEOUTS: ProgramTimeouts = { startMs: 120_000, idleMs: 20 * 60_000 };

/** Returns the timeouts of an agent, and for those it does not set the given ones. */
export function agentTimeouts(own: SilenceLimits | undefined, others: ProgramTimeouts): ProgramTimeouts {
  const turnMs = own?.stepMs ?? others.turnMs;
  return {
    startMs: own?.firstByteMs ?? others.startMs,
    idleMs: own?.betweenMs ?? others.idleMs,
    ...(turnMs === undefined ? {} : { turnMs }),
  };
}

/** Calls `onSilence` once when a program writes nothing for too long, or its turn takes too long. */
export interface SilenceWatch extends Disposable {
  /** The program wrote something. */
  reset(): void;
}

/** While `isPaused` returns true its output is not read, so silence does not count. */
export function watchSilence(
  clock: Clock,
  { startMs, idleMs, turnMs }: ProgramTimeouts,
  { isPaused, onSilence }: { readonly isPaused?: () => boolean; readonly onSilence: (what: string) => void },
): SilenceWatch {
  const disposed = new AbortController();
  let hasWritten = false;
  let since = clock.monotonic();
  const limit = (): number => (hasWritten ? idleMs : startMs);

  const watch = async (): Promise<void> => {
    for (let left = limit(); left > 0; left = since + limit() - clock.monotonic()) {
      await clock.sleep(left, disposed.signal);
      if (isPaused?.() === true) since = clock.monotonic();
    }
    const text = seconds(limit());
    onSilence(
      hasWritten ? `fell silent for ${text} (timeouts.between)` : `said nothing within ${text} (timeouts.first_byte)`,
    );
  };
  watch().catch(() => {});
  if (turnMs !== undefined) {
    clock.sleep(turnMs, disposed.signal).then(
      () => onSilence(`was not finished within ${seconds(turnMs)} (timeouts.step)`),
      () => {},
    );
  }

  return {
    reset: () => {
      hasWritten = true;
      since = clock.monotonic();
    },
    [Symbol.dispose]: () => disposed.abort(),
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
