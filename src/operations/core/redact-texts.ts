/** A copy of plain data in which every text is redacted; the data itself when there was nothing to redact. */
export function redactTexts(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  const before = Object.entries(value);
  const after = before.map(([key, each]) => [key, redactTexts(each, redact)] as const);
  if (after.every(([, each], index) => each === before[index]?.[1])) return value;
  return Array.isArray(value) ? after.map(([, each]) => each) : Object.fromEntries(after);
}
