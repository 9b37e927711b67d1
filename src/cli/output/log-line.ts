import type { Paint } from "./paint.ts";
import { visibleLine } from "./visible-text.ts";

/** A line of the daemon's log for a person: time, level, what, and the fields as `name=value`. */
export function formatLogLine(line: string, paint: Paint): string {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return visibleLine(line);
  }
  if (typeof entry !== "object" || entry === null) return visibleLine(line);
  const { at = "", level = "", message = "", ...fields } = entry as Record<string, unknown>;
  const shownLevel = String(level).padEnd(5);
  const more = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [
    paint.dim(visibleLine(String(at))),
    level === "error" || level === "warn" ? paint.bad(shownLevel) : shownLevel,
    visibleLine(String(message)),
    paint.dim(visibleLine(more.join(" "))),
  ]
    .join(" ")
    .trimEnd();
}
