import { editDistance } from "./edit-distance.ts";

/** Returns the candidate most similar to the name, ignoring case. At most a third of the letters may differ. */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  const lowered = name.toLowerCase();
  if (lowered.length > MAX_NAME_LENGTH) return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const allowed = Math.floor(Math.max(lowered.length, candidate.length) / 3);
    if (Math.abs(lowered.length - candidate.length) > allowed) continue;
    const distance = editDistance(lowered, candidate.toLowerCase());
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns a hint for an unknown name: the closest candidate if there is one, then at most `LISTED_NAMES` candidates. */
export function hintForUnknown(name: string, candidates: readonly string[], whatTheyAre: string): string {
  if (candidates.length === 0) return `There are no ${whatTheyAre}.`;
  const likely = closest(name, candidates);
  const more = candidates.length > LISTED_NAMES ? `, and ${candidates.length - LISTED_NAMES} more` : "";
  const listed = `Known ${whatTheyAre}: ${candidates.slice(0, LISTED_NAMES).join(", ")}${more}.`;
  return likely === undefined ? listed : `Did you mean "${likely}"? ${listed}`;
}

const MAX_NAME_LENGTH = 100;
const LISTED_NAMES = 20;
