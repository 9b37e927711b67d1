/**
 * Search terms for days. A text has terms for the day it is from and for the dates written in it; a question has terms for
 * the dates written in it, so that "on 8 May" finds what was said that day. The terms are no words of any language:
 * `d20260508` is a day, `d202605` a month, `dx0508` a day of any year, `dx05` a month of any year.
 */
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const YEAR = "(?:19|20)\\d{2}";
const DAY = "(?:0?[1-9]|[12]\\d|3[01])(?:st|nd|rd|th)?";

const PATTERNS: readonly (readonly [pattern: RegExp, order: readonly ("y" | "m" | "d")[]])[] = [
  [new RegExp(`\\b(${YEAR})-(\\d{2})-(\\d{2})\\b`, "giu"), ["y", "m", "d"]],
  [new RegExp(`\\b(${DAY})(?:\\s+of)?\\s+(${MONTH})\\b\\.?,?\\s*(${YEAR})?`, "giu"), ["d", "m", "y"]],
  [new RegExp(`\\b(${MONTH})\\.?\\s+(${DAY})\\b,?\\s*(${YEAR})?`, "giu"), ["m", "d", "y"]],
  [new RegExp(`\\b(${MONTH})\\.?,?\\s+(?:of\\s+)?(${YEAR})\\b`, "giu"), ["m", "y"]],
];
/** A month alone: "may" and "march" are words too, so they need a capital letter. */
const MONTH_ALONE =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b(?!\.?\s+\d)/gu;

const DAY_MS = 86_400_000;
const TOO_MANY = 8;

/** Returns the terms of a day. `at` in milliseconds since the epoch. */
export function dayTerms(at: number): string[] {
  const [year, month, day] = new Date(at).toISOString().slice(0, 10).split("-");
  return [`d${year}${month}${day}`, `d${year}${month}`, `dx${month}${day}`, `dx${month}`];
}

/** Whether a term is one of a date, not of a word. */
export function isDateTerm(term: string): boolean {
  return /^d(?:x\d{2}(?:\d{2})?|\d{6}(?:\d{2})?)$/.test(term);
}

/** Returns the terms of the dates that are written in a text, in words or in digits. */
export function writtenDateTerms(text: string): string[] {
  return [...new Set(datesIn(text).flatMap(textTerms))];
}

/** Returns the day that a text begins with, as the term of a day; null when it begins with none. */
export function leadingDay(text: string): string | null {
  const [first] = datesIn(text.slice(0, LEADING_CHARS));
  return first?.year === undefined || first.month === undefined || first.day === undefined
    ? null
    : `d${first.year}${first.month}${first.day}`;
}

const LEADING_CHARS = 40;
const SAME_MONTH = 0.3;

/** Returns the terms of the dates of a question with their weights, also of "yesterday" and "last month". */
export function questionDateTerms(text: string, now: number): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  for (const { year, month, day } of datesIn(text)) {
    if (year !== undefined && month !== undefined) terms.set(`d${year}${month}`, day === undefined ? 1 : SAME_MONTH);
    if (month !== undefined && day !== undefined)
      terms.set(year === undefined ? `dx${month}${day}` : `d${year}${month}${day}`, 1);
    if (month !== undefined && year === undefined && day === undefined) terms.set(`dx${month}`, 1);
  }
  for (const day of relativeDays(text, now)) terms.set(dayTerms(day)[0] ?? "", 1);
  if (/\b(?:last|previous)\s+month\b/iu.test(text)) {
    const date = new Date(now);
    const before = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1);
    terms.set(dayTerms(before)[1] ?? "", 1);
  }
  return terms;
}

interface WrittenDate {
  /** Digits: `2026`, `05`, `08`. */
  readonly year: string | undefined;
  readonly month: string | undefined;
  readonly day: string | undefined;
}

function datesIn(text: string): WrittenDate[] {
  if (!/\d|January|February|March|April|May|June|July|August|September|October|November|December/u.test(text))
    return [];
  const dates: WrittenDate[] = [];
  let rest = text;
  for (const [pattern, order] of PATTERNS) {
    rest = rest.replaceAll(pattern, (...parts: unknown[]) => {
      const part = (name: "y" | "m" | "d"): string | undefined => {
        const value = parts[order.indexOf(name) + 1];
        return order.includes(name) && typeof value === "string" ? value : undefined;
      };
      dates.push({ year: part("y"), month: monthDigits(part("m")), day: dayDigits(part("d")) });
      return " ";
    });
  }
  for (const [name] of rest.matchAll(MONTH_ALONE))
    dates.push({ year: undefined, month: monthDigits(name), day: undefined });
  return dates.slice(0, TOO_MANY);
}

function textTerms({ year, month, day }: WrittenDate): string[] {
  const terms: string[] = [];
  if (month === undefined) return terms;
  if (year !== undefined && day !== undefined) terms.push(`d${year}${month}${day}`);
  if (year !== undefined) terms.push(`d${year}${month}`);
  if (day !== undefined) terms.push(`dx${month}${day}`);
  return [...terms, `dx${month}`];
}

function monthDigits(text: string | undefined): string | undefined {
  if (text === undefined || /^\d/.test(text)) return text;
  const number = MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1;
  return number === 0 ? undefined : String(number).padStart(2, "0");
}

function dayDigits(text: string | undefined): string | undefined {
  return text === undefined ? undefined : String(Number.parseInt(text, 10)).padStart(2, "0");
}

/** Returns the days that a question means by "yesterday", "three days ago" and the like. */
function relativeDays(text: string, now: number): number[] {
  const back = (days: number): number => now - days * DAY_MS;
  const days: number[] = [];
  if (/\btoday\b|\bthis morning\b/iu.test(text)) days.push(back(0));
  if (/\byesterday\b|\blast night\b/iu.test(text)) days.push(back(1));
  for (const [, count = "", unit = ""] of text.matchAll(/\b(\d{1,3}|a|one|two|three|four)\s+(day|week)s?\s+ago\b/giu)) {
    const number = { a: 1, one: 1, two: 2, three: 3, four: 4 }[count.toLowerCase()] ?? Number(count);
    days.push(back(number * (unit.toLowerCase() === "week" ? 7 : 1)));
  }
  if (/\b(?:last|previous) week\b/iu.test(text)) for (let day = 7; day < 14; day += 1) days.push(back(day));
  return days;
}
