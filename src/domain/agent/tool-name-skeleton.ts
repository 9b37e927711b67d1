import { lookAlikeSkeleton } from "../text/look-alike.ts";

/** Skeletons of the names that every run uses. Bounded, because MCP servers may offer any number of names. */
const SKELETONS = new Map<string, string>();
const MAX_CACHED = 500;

/** Returns the same text for names that a person or a model would confuse with one another. */
export function toolNameSkeleton(name: string): string {
  const cached = SKELETONS.get(name);
  if (cached !== undefined) return cached;
  const words = name.normalize("NFKD").replaceAll(/[^\p{L}\p{N}]/gu, "");
  const skeleton = lookAlikeSkeleton(words);
  if (SKELETONS.size < MAX_CACHED) SKELETONS.set(name, skeleton);
  return skeleton;
}
