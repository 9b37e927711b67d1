import type { UsageView } from "../../../../src/contract/usage.ts";

export type UsageMeasure = "cost" | "tokens";

export interface DayAmount {
  readonly day: string;
  readonly key: string;
  readonly usage: UsageView;
}

export interface ChartDay {
  readonly day: string;
  /** In the order of `keys`; 0 for a key that used nothing on that day. */
  readonly amounts: readonly number[];
}

export interface UsageChart {
  /** The largest first. The last is `others` when there are more than can be told apart. */
  readonly keys: readonly string[];
  readonly days: readonly ChartDay[];
  readonly most: number;
  /** Steps of which it is not known. They are in no bar. */
  readonly unknownSteps: number;
}

const MOST_KEYS = 7;
const OTHERS = "others";

/** Sums by day and key. Days without use are there, so that the distance of two bars is their distance in time. */
export function usageChart(days: readonly DayAmount[], measure: UsageMeasure): UsageChart {
  const totals = new Map<string, number>();
  for (const { key, usage } of days) totals.set(key, (totals.get(key) ?? 0) + amountOf(usage, measure));
  const ordered = [...totals].toSorted(([, a], [, b]) => b - a).map(([key]) => key);
  const keys = ordered.length <= MOST_KEYS ? ordered : [...ordered.slice(0, MOST_KEYS - 1), OTHERS];
  const byDay = Map.groupBy(days, ({ day }) => day);
  const charted = allDays([...byDay.keys()].toSorted()).map((day) => {
    const amounts = keys.map(() => 0);
    for (const { key, usage } of byDay.get(day) ?? []) {
      const found = keys.indexOf(key);
      const at = found === -1 ? keys.length - 1 : found;
      amounts[at] = (amounts[at] ?? 0) + amountOf(usage, measure);
    }
    return { day, amounts };
  });
  const unknown = days.map(({ usage }) => (measure === "cost" ? usage.cost.unknownSteps : usage.tokens.unknownSteps));
  return {
    keys,
    days: charted,
    most: Math.max(0, ...charted.map(({ amounts }) => sum(amounts))),
    unknownSteps: sum(unknown),
  };
}

function amountOf({ cost, tokens }: UsageView, measure: UsageMeasure): number {
  return measure === "cost" ? cost.knownUsd : tokens.total;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

const DAY_MS = 24 * 60 * 60_000;
const MOST_DAYS = 400;

function allDays(days: readonly string[]): readonly string[] {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  if (count > MOST_DAYS) return days;
  return Array.from({ length: count }, (_, at) => new Date(Date.parse(first) + at * DAY_MS).toISOString().slice(0, 10));
}
