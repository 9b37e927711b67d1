import { dayTerms, leadingDay, writtenDateTerms } from "./date-terms.ts";
import { speakerTerms } from "./speaker.ts";
import { termsOf } from "./terms.ts";

/** What the terms of a text are made of. */
export interface TermSource {
  readonly kind: "memory" | "note" | "conversation";
  readonly key: string;
  readonly text: string;
  /** Who wrote it. */
  readonly source: string;
  readonly at: number | null;
}

/** Returns the terms that a text is found by: those of its words, of its key or author, and of its dates. */
export function textTerms({ kind, key, text, source, at }: TermSource): string[] {
  const name = kind === "conversation" ? source : key;
  const terms = termsOf(`${name} ${text}`);
  const dates = new Set(at === null ? [] : dayTerms(at));
  for (const term of writtenDateTerms(kind === "memory" ? `${key} ${text}` : text)) dates.add(term);
  return [...terms, ...dates];
}

/** Returns a name for the day a text belongs to: the one it begins with, or else the one it is from. */
export function sessionOf({ kind, text, at }: Pick<TermSource, "kind" | "text" | "at">): string | null {
  const day = leadingDay(text) ?? (at === null ? null : (dayTerms(at)[0] ?? null));
  return day === null ? null : `${kind} ${day}`;
}

/** Whether somebody whose name is among the terms of a question said the text. */
export function isBySubject(
  { kind, text, source }: Pick<TermSource, "kind" | "text" | "source">,
  terms: ReadonlyMap<string, number>,
): boolean {
  const names = kind === "conversation" ? termsOf(source) : speakerTerms(text);
  return names.length > 0 && names.every((name) => terms.has(name));
}
