/** Skeletons of the names that every run uses. Bounded, because MCP servers may offer any number of names. */
const SKELETONS = new Map<string, string>();
const MAX_CACHED = 500;

/** Returns the same text for names that a person or a model would confuse with one another. */
export function toolNameSkeleton(name: string): string {
  const cached = SKELETONS.get(name);
  if (cached !== undefined) return cached;
  const skeleton = name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replaceAll("0", "o")
    .replaceAll(/[1il]/g, "l");
  if (SKELETONS.size < MAX_CACHED) SKELETONS.set(name, skeleton);
  return skeleton;
}
