/** Of the names that every run asks for. Those of MCP servers are strangers', so it must not grow with them. */
const LOOKS = new Map<string, string>();
const MOST_LOOKS = 500;

/** The same for names a reader, or a model, would take for one another. */
export function lookOf(name: string): string {
  const known = LOOKS.get(name);
  if (known !== undefined) return known;
  const look = name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replaceAll("0", "o")
    .replaceAll(/[1il]/g, "l");
  if (LOOKS.size < MOST_LOOKS) LOOKS.set(name, look);
  return look;
}
