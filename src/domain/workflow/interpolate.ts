import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { TextRange } from "../message/mentions.ts";
import { refuseUnknown, splitTemplate } from "./placeholder.ts";
import type { Scope } from "./scope.ts";

/**
 * A text with its placeholders filled in. `inert` are the ranges of the filled-in values, in order: they are data and
 * never contain mentions. `names` are the placeholders that were filled in.
 */
export interface Interpolated {
  readonly text: string;
  readonly inert: readonly TextRange[];
  readonly names: readonly string[];
}

/** Makes one pass: a placeholder in a filled-in value is not filled in. */
export function interpolate(template: string, scope: Scope): Result<Interpolated, Refusal> {
  const parts = splitTemplate(template);
  if (!parts.ok) return parts;
  let text = "";
  const inert: TextRange[] = [];
  const names: string[] = [];
  for (const { literal, placeholder } of parts.value) {
    if (placeholder === undefined) {
      text += literal;
      continue;
    }
    const value = scope.get(placeholder.name);
    if (value === undefined) return refuseUnknown(placeholder, scope.keys());
    if (value !== "") inert.push({ start: text.length, end: text.length + value.length });
    text += value;
    names.push(placeholder.name);
  }
  return ok({ text, inert, names });
}
