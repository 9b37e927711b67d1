import { Cron, CronPattern } from "croner";
import { closest } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { formatDuration, parseDuration } from "./duration.ts";

/**
 * When an agent wakes up by itself. An interval measures silence and starts again with every activity; a cron
 * expression follows the calendar of a time zone (null = the machine's) and ignores activity. What was missed while
 * the machine slept is made up for by one run, never by one run per occurrence.
 */
export type Wakeup =
  | { readonly kind: "interval"; readonly everyMs: number }
  | { readonly kind: "cron"; readonly expression: string; readonly timeZone: string | null };

/** Below this a schedule is a busy loop that costs money, whatever it was meant to be. */
const SHORTEST_INTERVAL_MS = 5_000;

/** How far ahead of the clock a past event may seem to be before it is put down to a clock that was wrong. */
const TRUSTED_CLOCK_JUMP_MS = 86_400_000;

const LONGEST_BACK_OFF_MS = 3_600_000;
const BACK_OFF_FACTOR_LIMIT = 16;

export function parseWakeup(text: string, timeZone?: string): Result<Wakeup, Refusal> {
  const trimmed = text.trim().replace(/\s+/g, " ");
  return isCronLike(trimmed) ? parseCron(trimmed, timeZone) : parseInterval(trimmed, timeZone);
}

function isCronLike(text: string): boolean {
  return text.startsWith("@") || (text.includes(" ") && !/^[\d.]+ ?[a-z]/i.test(text));
}

function parseInterval(text: string, timeZone: string | undefined): Result<Wakeup, Refusal> {
  const everyMs = parseDuration(text);
  if (!everyMs.ok) {
    return refuse("invalid", `"${text}" is neither an interval nor a cron expression.`, { hint: WAKEUP_HINT });
  }
  if (everyMs.value < SHORTEST_INTERVAL_MS) return tooOften(text);
  if (timeZone !== undefined) {
    return refuse("invalid", `The interval "${text}" has no use for the time zone "${timeZone}".`, {
      hint: "Leave the time zone out, or write the schedule as a cron expression.",
    });
  }
  return ok({ kind: "interval", everyMs: everyMs.value });
}

function parseCron(expression: string, timeZone: string | undefined): Result<Wakeup, Refusal> {
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    const likely = closest(timeZone, Intl.supportedValuesOf("timeZone")) ?? "Europe/Berlin";
    return refuse("invalid", `"${timeZone}" is not a time zone.`, {
      hint: `Use an IANA name such as ${likely}, or leave it out for the time zone of this machine.`,
    });
  }
  let pattern: CronPattern;
  try {
    pattern = new CronPattern(expression, timeZone, { mode: "5-or-6-parts" });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^\w+: /, "") : "it cannot be read";
    return refuse("invalid", `"${expression}" is not a cron expression: ${reason}`, { hint: WAKEUP_HINT });
  }
  if (smallestGapSeconds(pattern) * 1_000 < SHORTEST_INTERVAL_MS) return tooOften(expression);
  const wakeup = { kind: "cron", expression, timeZone: timeZone ?? null } as const;
  if (occurrenceAfter(wakeup, 0) === null) {
    return refuse("invalid", `"${expression}" never occurs.`, { hint: "Check the day against the month." });
  }
  return ok(wakeup);
}

export interface FireHistory {
  readonly nowMs: number;
  /** The last time the agent did anything in the place the schedule is for. */
  readonly lastActivityMs?: number;
  /** When the schedule last fired, by the clock of that moment. */
  readonly lastFiredMs?: number;
}

/**
 * When to fire next. A time that has passed means: now, once. Null only for a cron expression that has run out.
 * A clock that was set back neither fires an occurrence twice (within a day) nor stops the schedule for good.
 */
export function nextFire(wakeup: Wakeup, { nowMs, lastActivityMs, lastFiredMs }: FireHistory): number | null {
  if (wakeup.kind === "interval") {
    const since = Math.max(lastActivityMs ?? -Infinity, lastFiredMs ?? -Infinity);
    return (since === -Infinity ? nowMs : Math.min(since, nowMs)) + wakeup.everyMs;
  }
  const trusted = lastFiredMs !== undefined && lastFiredMs <= nowMs + TRUSTED_CLOCK_JUMP_MS;
  return occurrenceAfter(wakeup, trusted ? lastFiredMs : nowMs);
}

/**
 * Whether a schedule whose next time was stored as `nextAt` fires now, and the next time to store. It fires at most
 * once for everything that was missed. A `nextAt` no honest clock could have led to is replaced.
 */
export function fireDecision(state: {
  readonly wakeup: Wakeup;
  readonly nextAt: number | null;
  readonly nowMs: number;
}): {
  readonly fire: boolean;
  readonly next: number | null;
} {
  const { wakeup, nextAt, nowMs } = state;
  if (nextAt !== null && nextAt <= nowMs) return { fire: true, next: nextFire(wakeup, { nowMs, lastFiredMs: nowMs }) };
  if (wakeup.kind === "interval") {
    return { fire: false, next: Math.min(nextAt ?? Infinity, nowMs + wakeup.everyMs) };
  }
  const latest = occurrenceAfter(wakeup, nowMs + TRUSTED_CLOCK_JUMP_MS);
  const believable = nextAt !== null && (latest === null || nextAt <= latest);
  return { fire: false, next: believable ? nextAt : occurrenceAfter(wakeup, nowMs) };
}

/**
 * The interval to use after a number of runs in a row in which the agent found nothing to do: doubled each time, up
 * to sixteen times the interval or one hour, and never less than what was asked for.
 */
export function backOffAfterNothing(consecutiveEmptyRuns: number, everyMs: number): number {
  const factor = Math.min(2 ** Math.max(0, consecutiveEmptyRuns), BACK_OFF_FACTOR_LIMIT);
  return Math.max(everyMs, Math.min(everyMs * factor, LONGEST_BACK_OFF_MS));
}

function occurrenceAfter(wakeup: Wakeup & { readonly kind: "cron" }, ms: number): number | null {
  const { expression, timeZone } = wakeup;
  const options = { paused: true, mode: "5-or-6-parts" } as const;
  const cron = new Cron(expression, timeZone === null ? options : { ...options, timezone: timeZone });
  return cron.nextRun(new Date(ms))?.getTime() ?? null;
}

/** Round the minute, so that a pattern may be refused for the step from one minute to the next. */
function smallestGapSeconds(pattern: CronPattern): number {
  const seconds = pattern.second.flatMap((set, second) => (set === 1 ? [second] : []));
  const first = seconds[0] ?? 0;
  return Math.min(...seconds.map((second, index) => (seconds[index + 1] ?? first + 60) - second));
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function tooOften(text: string): Result<never, Refusal> {
  return refuse("invalid", `"${text}" would wake the agent too often.`, {
    hint: `The shortest interval is ${formatDuration(SHORTEST_INTERVAL_MS)}. A message or a mention wakes an agent at once, without a schedule.`,
  });
}

const WAKEUP_HINT =
  'Write an interval such as "30s", "5m" or "1h30m", or a cron expression such as "0 9 * * 1-5" or "@daily".';
