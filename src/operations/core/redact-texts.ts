/** Returns a copy of plain data with every text redacted; the same object when nothing was redacted. */
export function redactTexts(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  const before = Object.entries(value);
  const after = before.map(([key, each]) => [key, redactTexts(each, redact)] as const);
  if (after.every(([, each], index) => each === before[index]?.[1])) return value;
  return Array.isArray(value) ? after.map(([, each]) => each) : Object.fromEntries(after);
}

/** Returns the trimmed text, redacted; null when it is absent or empty. */
export function redactOptional(text: string | undefined, redact: (text: string) => string): string | null {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? null : redact(trimmed);
}
