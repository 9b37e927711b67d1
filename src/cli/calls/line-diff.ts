import { lineDiff, type DiffPart } from "../../contract/text/line-diff.ts";

/** A line of a difference: removed, added, or the same on both sides. */
export interface DiffLine {
  readonly sign: "-" | "+" | " ";
  readonly text: string;
}

const SIGNS: Readonly<Record<DiffPart["kind"], DiffLine["sign"]>> = { removed: "-", added: "+", same: " ", gap: " " };
const GAP = "…";

/** Returns the difference of two texts, with a few lines around each change. Longer parts that are the same are left out. */
export function diffTexts(before: string, after: string): DiffLine[] {
  const parts = lineDiff(before, after);
  return parts
    .filter(({ kind }, index) => kind !== "gap" || (index > 0 && index < parts.length - 1))
    .map(({ kind, text }) => ({ sign: SIGNS[kind], text: kind === "gap" ? GAP : text }));
}
