import { createBoundedOutput } from "./bounded-output.ts";

/**
 * Output of any size, of which the beginning and the end are kept: a command that prints without end must neither fill
 * the memory nor the model's context, and what matters of it is at one of the two ends.
 */
export interface BoundedText {
  add(text: string): void;
  text(): string;
}

export function createBoundedText(limit: number): BoundedText {
  const half = Math.floor(limit / 2);
  const kept = createBoundedOutput({ start: half, end: half });
  return {
    add: kept.add,
    text: () => {
      const left = kept.leftOut();
      const between = left === 0 ? "" : `\n[... ${left} characters left out ...]\n`;
      return kept.head() + between + kept.tail();
    },
  };
}

export function boundText(text: string, limit: number): string {
  const bounded = createBoundedText(limit);
  bounded.add(text);
  return bounded.text();
}
