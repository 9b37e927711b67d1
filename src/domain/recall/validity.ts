/** Returns whether a memory is still true, in words: empty when no other memory replaces it and it replaces none. */
export function validityText(entry: {
  readonly validUntil?: string | null | undefined;
  readonly replacedBy?: string | null | undefined;
  readonly replaces?: string | null | undefined;
}): string {
  const { validUntil, replacedBy, replaces } = entry;
  if (validUntil != null) {
    const by = replacedBy == null ? "" : ` by ${replacedBy}`;
    return `no longer true, replaced ${validUntil.slice(0, "YYYY-MM-DD".length)}${by}`;
  }
  return replaces == null ? "" : `current, replaces ${replaces}`;
}
