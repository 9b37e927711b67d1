/**
 * What a bench is. Times mean nothing on a shared machine: every figure is a ratio to a limit measured in the same
 * run, round by round in turn, so that noise hits both. A limit is the least code that could do the job, kept in
 * `bench/limits/` with nothing of the product in it.
 */
export interface Bench {
  readonly name: string;
  readonly measures: string;
  run(options: BenchOptions): Promise<readonly Figure[]>;
}

export interface BenchOptions {
  /** Smaller sizes and fewer rounds: shows that the bench works, not what the product can do. */
  readonly quick: boolean;
  progress(line: string): void;
}

export interface Figure {
  readonly what: string;
  /** One ratio a round. */
  readonly ratios: readonly number[];
  readonly goal: { readonly atLeast: number } | { readonly atMost: number };
  /** What was measured, for people: "18,200/s against 34,100/s". */
  readonly detail: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function meetsGoal({ ratios, goal }: Figure): boolean {
  const value = median(ratios);
  return "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
}

export function perSecond(count: number, ms: number): number {
  return (count / ms) * 1000;
}

export function format(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
