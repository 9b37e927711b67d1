/**
 * Data as an outline of names and values, for a model to read: shorter than JSON, without its quotes and braces. The
 * same data is in the structured content of the answer.
 */
export function plainWords(data: unknown): string {
  const lines = saysNothing(data) ? [] : linesOf(data);
  return lines.length === 0 ? "Done." : lines.join("\n");
}

function linesOf(data: unknown): readonly string[] {
  if (Array.isArray(data) && data.length === 0) return ["none"];
  if (Array.isArray(data)) return data.flatMap((item) => marked("- ", "  ", linesOf(item)));
  if (typeof data !== "object" || data === null) return textLines(data);
  return Object.entries(data).flatMap(([name, value]) => {
    if (saysNothing(value)) return [];
    const lines = linesOf(value);
    const isNested = typeof value === "object" && !(Array.isArray(value) && value.length === 0);
    return !isNested && lines.length === 1
      ? [`${name}: ${lines[0]}`]
      : [`${name}:`, ...lines.map((line) => `  ${line}`)];
  });
}

function marked(first: string, others: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => (index === 0 ? first : others) + line);
}

function textLines(value: unknown): readonly string[] {
  if (typeof value === "boolean") return [value ? "yes" : "no"];
  return (typeof value === "string" ? value : JSON.stringify(value)).split("\n");
}

/** A 0, a `no` and an empty list say something. */
function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && !Array.isArray(value) && Object.values(value).every(saysNothing);
}
