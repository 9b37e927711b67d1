/** One line of a comparison of two texts. */
export interface DiffPart {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
}

/** Beyond this many comparisons, everything is shown as replaced. */
const MAX_CELLS = 250_000;
/** Unchanged lines that are shown around a change. */
const CONTEXT = 3;

/** Compares two texts line by line, for the terminal and for the page. Long unchanged parts become a gap. */
export function lineDiff(before: string, after: string): readonly DiffPart[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return shorten([
    ...asLines("same", a.slice(0, start)),
    ...changedLines(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...asLines("same", a.slice(a.length - end)),
  ]);
}

/** The lines of a text without their ends. */
export function linesOf(text: string): string[] {
  if (text === "") return [];
  return text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
}

function asLines(kind: DiffPart["kind"], lines: readonly string[]): DiffPart[] {
  return lines.map((text) => ({ kind, text }));
}

/** By the longest common subsequence. */
function changedLines(a: readonly string[], b: readonly string[]): DiffPart[] {
  if (a.length * b.length > MAX_CELLS) return [...asLines("removed", a), ...asLines("added", b)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      found.push({ kind: "same", text: a[i] ?? "" });
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) {
      found.push({ kind: "removed", text: a[i] ?? "" });
      i += 1;
    } else {
      found.push({ kind: "added", text: b[j] ?? "" });
      j += 1;
    }
  }
  return found;
}

function shorten(lines: readonly DiffPart[]): readonly DiffPart[] {
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind !== "same");
  const shown: DiffPart[] = [];
  let skipped = 0;
  const endGap = (): void => {
    if (skipped > 0) shown.push({ kind: "gap", text: `${skipped} unchanged ${skipped === 1 ? "line" : "lines"}` });
    skipped = 0;
  };
  for (const [index, line] of lines.entries()) {
    if (isNear(index)) {
      endGap();
      shown.push(line);
    } else skipped += 1;
  }
  endGap();
  return shown;
}
