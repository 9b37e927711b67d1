/** Unchanged lines that are left around a change, so that a reader finds it. */
const CONTEXT = 3;

/** Returns the part of two texts that differs, with a few lines around it. What is the same at both ends is left out. */
export function changedLines(before: string, after: string): { readonly removed: string; readonly added: string } {
  const [a, b] = [before.split("\n"), after.split("\n")];
  const shortest = Math.min(a.length, b.length);
  let start = 0;
  while (start < shortest && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shortest - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const part = (lines: readonly string[]): string =>
    lines.slice(Math.max(0, start - CONTEXT), lines.length - Math.max(0, end - CONTEXT)).join("\n");
  return { removed: part(a), added: part(b) };
}
