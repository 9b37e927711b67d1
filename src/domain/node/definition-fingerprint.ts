/**
 * What a node tells the others of a definition: the keys that it has, each with a hash of its value. They see what differs
 * without seeing it. Written as one text, `model:1f0c prompt:77ab`: equal texts are equal definitions.
 */
export function joinFingerprint(hashes: Readonly<Record<string, string>>): string {
  return Object.entries(hashes)
    .map(([key, hash]) => `${key}:${hash}`)
    .toSorted()
    .join(" ");
}

/** Returns the keys that only one of two definitions has, or that have another value in each. */
export function differingKeys(one: string, other: string): readonly string[] {
  const [ofOne, ofOther] = [new Set(one.split(" ")), new Set(other.split(" "))];
  const differing = [...ofOne.symmetricDifference(ofOther)].map((entry) => entry.slice(0, entry.lastIndexOf(":")));
  return [...new Set(differing)].toSorted();
}
