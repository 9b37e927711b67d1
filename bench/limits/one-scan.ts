/** The least that finds one kind of secret in a text: one pattern, applied once. */
export function scanOnce(text: string): number {
  let found = 0;
  for (const _ of text.matchAll(/(?:token|password|secret|key)[=:]["' ]{0,4}[\w-]{40,}/gi)) found += 1;
  return found;
}
