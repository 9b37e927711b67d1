/** Returns the JSON object that an answer is, with or without a fence around it; undefined when it is anything else. */
export function readJsonAnswer(answer: string): Readonly<Record<string, unknown>> | undefined {
  const trimmed = answer.trim();
  const fenced = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/.exec(trimmed)?.[1];
  try {
    const value: unknown = JSON.parse(fenced ?? trimmed);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the texts of a list in an answer; undefined when it is not a list of texts that are among the allowed ones. */
export function readChoice(value: unknown, allowed: ReadonlySet<string>): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((each) => (typeof each === "number" ? String(each) : each));
  if (!texts.every((each): each is string => typeof each === "string" && allowed.has(each))) return undefined;
  return [...new Set(texts)];
}

/** Returns a text of an answer on at most `longest` characters, without control characters; undefined when it is none. */
export function readText(value: unknown, longest: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const clean = value.replace(/[\p{Cc}--[\n\t]]/gv, " ").trim();
  return clean === "" ? undefined : clean.slice(0, longest).toWellFormed();
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
