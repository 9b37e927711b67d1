import { editDistance } from "./edit-distance.ts";

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
