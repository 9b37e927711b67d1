import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { interpolate } from "../workflow/interpolate.ts";
import type { Scope } from "../workflow/scope.ts";

/** Fills in the placeholders in all texts of plain data, once. Keys are not changed. */
export function fillIn(value: unknown, scope: Scope): Result<unknown, Refusal> {
  if (typeof value === "string") {
    const filled = interpolate(value, scope);
    return filled.ok ? ok(filled.value.text) : filled;
  }
  if (typeof value !== "object" || value === null) return ok(value);
  const entries: [string, unknown][] = [];
  for (const [key, each] of Object.entries(value)) {
    const filled = fillIn(each, scope);
    if (!filled.ok) return filled;
    entries.push([key, filled.value]);
  }
  return ok(Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries));
}
