/** Reciprocal rank fusion: a text gets 1 / (60 + rank) from each ranking, so that scores of different kinds need no scale. */
const SMOOTHING = 60;

/** Returns every id of the rankings once, the best first. A score of 1 means: first in all of them. */
export function fuseRankings(
  rankings: readonly (readonly number[])[],
): { readonly rowid: number; readonly score: number }[] {
  const scores = new Map<number, number>();
  const most = rankings.length / (SMOOTHING + 1);
  for (const ranking of rankings) {
    for (const [rank, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (SMOOTHING + rank + 1) / most);
    }
  }
  return [...scores].toSorted((a, b) => b[1] - a[1]).map(([rowid, score]) => ({ rowid, score }));
}
