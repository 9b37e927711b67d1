import { Cron, CronPattern } from "croner";
import { closest } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { formatDuration, parseDuration } from "./duration.ts";

/**
 * When an agent wakes up without a message. An interval counts from the last activity. A cron expression follows the
 * calendar of a time zone (null = that of the machine) and ignores activity. All occurrences that were missed while the
 * machine slept cause one run together.
 */
export type Wakeup =
  | { readonly kind: "interval"; readonly everyMs: number }
  | { readonly kind: "cron"; readonly expression: string; readonly timeZone: string | null };

/** A shorter schedule is a busy loop that costs money. */
const MIN_INTERVAL_MS = 5_000;

/** A stored time that is further ahead of the clock than this was written with a wrong clock. */
const TRUSTED_CLOCK_JUMP_MS = 86_400_000;

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
  if (everyMs.value < MIN_INTERVAL_MS) return tooOften(text);
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
  if (smallestGapSeconds(pattern) * 1_000 < MIN_INTERVAL_MS) return tooOften(expression);
  const wakeup = { kind: "cron", expression, timeZone: timeZone ?? null } as const;
  if (occurrenceAfter(wakeup, 0) === null) {
    return refuse("invalid", `"${expression}" never occurs.`, { hint: "Check the day against the month." });
  }
  return ok(wakeup);
}

export interface FireHistory {
  readonly nowMs: number;
  /** The agent's last activity in the space of the schedule. */
  readonly lastActivityMs?: number;
  /** When the schedule last fired, by the clock at that time. */
  readonly lastFiredMs?: number;
}

/**
 * Returns when to fire next. A time in the past means: now, once. Null only for a cron expression without further
 * occurrences. A clock that was set back neither repeats an occurrence (within a day) nor stops the schedule for good.
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
 * Decides whether a schedule with the stored next time `nextAt` fires now, and returns the next time to store. It fires
 * at most once for all missed occurrences. A `nextAt` that only a wrong clock can have produced is replaced.
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

function occurrenceAfter(wakeup: Wakeup & { readonly kind: "cron" }, ms: number): number | null {
  const { expression, timeZone } = wakeup;
  const options = { paused: true, mode: "5-or-6-parts" } as const;
  const cron = new Cron(expression, timeZone === null ? options : { ...options, timezone: timeZone });
  return cron.nextRun(new Date(ms))?.getTime() ?? null;
}

/** Includes the gap from the last second of a minute to the first of the next. */
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
    hint: `The shortest interval is ${formatDuration(MIN_INTERVAL_MS)}. A message or a mention wakes an agent at once, without a schedule.`,
  });
}

const WAKEUP_HINT =
  'Write an interval such as "30s", "5m" or "1h30m", or a cron expression such as "0 9 * * 1-5" or "@daily".';
