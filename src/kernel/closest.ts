/**
 * Finds what somebody probably meant. A suggestion that is far off is worse than none, so a candidate counts only
 * when at most a third of its letters differ; letter case is free.
 */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  if (wanted.length > LONGEST_NAME) return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const allowed = Math.floor(Math.max(wanted.length, candidate.length) / 3);
    if (Math.abs(wanted.length - candidate.length) > allowed) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** One hint for an unknown name: the likely one if there is one, then what exists (at most `LISTED_NAMES` of it). */
export function hintForUnknown(name: string, candidates: readonly string[], whatTheyAre: string): string {
  if (candidates.length === 0) return `There are no ${whatTheyAre}.`;
  const likely = closest(name, candidates);
  const more = candidates.length > LISTED_NAMES ? `, and ${candidates.length - LISTED_NAMES} more` : "";
  const listed = `Known ${whatTheyAre}: ${candidates.slice(0, LISTED_NAMES).join(", ")}${more}.`;
  return likely === undefined ? listed : `Did you mean "${likely}"? ${listed}`;
}

const LONGEST_NAME = 100;
const LISTED_NAMES = 20;

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, at(beforePrevious, column - 2) + 1);
      }
      current.push(least);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
