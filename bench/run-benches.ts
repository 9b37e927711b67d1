import { inspect } from "node:util";
import { format, median, meetsGoal, type Bench, type Figure } from "./bench.ts";

export interface BenchOutput {
  result(text: string): void;
  problem(text: string): void;
}

/** Runs benches one after another and prints their figures. A bench that throws is reported, and the others still run. */
export async function runBenches(
  benches: readonly Bench[],
  { quick, json }: { readonly quick: boolean; readonly json: boolean },
  output: BenchOutput,
): Promise<{ readonly failed: boolean; readonly missed: boolean }> {
  const say = (text: string): void => void (json || output.result(text));
  const rows: object[] = [];
  let failed = false;
  let missed = false;
  for (const bench of benches) {
    say(`${bench.name}: ${bench.measures}\n`);
    const started = performance.now();
    try {
      const figures = await bench.run({ quick, progress: (line) => say(`  … ${line}\n`) });
      missed ||= !figures.every(meetsGoal);
      for (const figure of figures) {
        say(`${lineOf(figure)}\n`);
        rows.push({ bench: bench.name, ...figure, median: median(figure.ratios), met: meetsGoal(figure) });
      }
    } catch (error) {
      failed = true;
      output.problem(`${bench.name} FAILED: ${inspect(error)}\n`);
      rows.push({ bench: bench.name, error: error instanceof Error ? error.message : String(error) });
    }
    say(`  (${format((performance.now() - started) / 1000)} s)\n`);
  }
  if (json) output.result(`${JSON.stringify(rows, null, 2)}\n`);
  return { failed, missed };
}

function lineOf(figure: Figure): string {
  const spread = `${format(Math.min(...figure.ratios))} to ${format(Math.max(...figure.ratios))}`;
  const goal = "atLeast" in figure.goal ? `>= ${figure.goal.atLeast}` : `<= ${figure.goal.atMost}`;
  const verdict = meetsGoal(figure) ? "met" : "MISSED";
  return `  ${figure.what}: ${format(median(figure.ratios))} (${spread}), goal ${goal} ${verdict}\n      ${figure.detail}`;
}
