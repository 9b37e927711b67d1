/** A line of a difference: removed, added, or the same on both sides. */
export interface DiffLine {
  readonly sign: "-" | "+" | " ";
  readonly text: string;
}

/** Above this, the middle of two texts is shown as removed and added, without looking for what they share. */
const MOST_CELLS = 250_000;
const CONTEXT = 3;

/** Returns the difference of two texts, with a few lines around each change. Longer parts that are the same are left out. */
export function diffTexts(before: string, after: string): DiffLine[] {
  return withoutFarLines(allLines(linesOf(before), linesOf(after)));
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
}

function allLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: " ", text }));
  return [
    ...same(before.slice(0, start)),
    ...middleLines(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

/** The longest common lines stay; everything else is removed or added. */
function middleLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ sign: "-", text });
  const added = (text: string): DiffLine => ({ sign: "+", text });
  if (before.length * after.length > MOST_CELLS) return [...before.map(removed), ...after.map(added)];
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const old = before[row];
    const fresh = after[column];
    if (old !== undefined && old === fresh) {
      lines.push({ sign: " ", text: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(old));
      row += 1;
    } else {
      lines.push(added(fresh ?? ""));
      column += 1;
    }
  }
  return lines;
}

function withoutFarLines(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Set<number>();
  lines.forEach(({ sign }, index) => {
    if (sign === " ") return;
    for (let at = index - CONTEXT; at <= index + CONTEXT; at += 1) near.add(at);
  });
  const shown: DiffLine[] = [];
  lines.forEach((each, index) => {
    if (near.has(index)) shown.push(each);
    else if (shown.length > 0 && shown.at(-1)?.text !== GAP && index < lines.length - 1)
      shown.push({ sign: " ", text: GAP });
  });
  if (shown.at(-1)?.text === GAP) shown.pop();
  return shown;
}

const GAP = "…";
