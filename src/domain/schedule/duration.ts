import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

const DURATION = /^(?:([\d.]+)d)?\s*(?:([\d.]+)h)?\s*(?:([\d.]+)m)?\s*(?:([\d.]+)s)?\s*(?:([\d.]+)ms)?$/;
const AMOUNT = /^\d{1,15}(?:\.\d{1,9})?$/;

/** Ten years: more is a mistake, and would exceed the range of a timer or a date. */
const MAX_MS = 3_650 * 86_400_000;

/** Returns the milliseconds of a duration such as "500ms", "30s", "1.5h" or "1h30m": each unit once, largest first. */
export function parseDuration(text: string): Result<number, Refusal> {
  const amounts = text.length <= 64 ? DURATION.exec(text.trim())?.slice(1) : undefined;
  if (amounts === undefined || amounts.some((amount) => amount !== undefined && !AMOUNT.test(amount))) {
    return invalid(text, "is not a duration");
  }
  const ms = Math.round(UNITS.reduce((sum, [, size], index) => sum + Number(amounts[index] ?? 0) * size, 0));
  if (ms < 1) return invalid(text, "is no time at all");
  if (ms > MAX_MS) return invalid(text, "is longer than ten years");
  return ok(ms);
}

/** Returns the shortest exact spelling of a number of milliseconds, for `parseDuration`. */
export function formatDuration(ms: number): string {
  let rest = Math.max(0, Math.round(ms));
  let text = "";
  for (const [unit, size] of UNITS) {
    const amount = Math.floor(rest / size);
    if (amount > 0) text += `${amount}${unit}`;
    rest -= amount * size;
  }
  return text === "" ? "0ms" : text;
}

function invalid(text: string, why: string): Result<never, Refusal> {
  return refuse("invalid", `"${text.slice(0, 64)}" ${why}.`, {
    hint: 'Write a number and a unit (ms, s, m, h, d), for example "30s", "5m" or "1h30m".',
  });
}
