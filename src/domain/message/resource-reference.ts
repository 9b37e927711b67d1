const REFERENCE = /\[resource:(res_[0-9a-f]{32})\]/g;

/** Returns the ids of the resources that a text names as `[resource:ID]`, each once, in their order. */
export function resourcesIn(text: string): string[] {
  return [...new Set([...text.matchAll(REFERENCE)].map(([, id = ""]) => id))];
}
