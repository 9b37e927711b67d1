import { isUntrusted, originText, UNTRUSTED_MARK } from "../../domain/recall/untrusted-content.ts";
import { validityText } from "../../domain/recall/validity.ts";
import { valueText } from "../../domain/recall/value-text.ts";
import type { MemoryEntry } from "../../ports/personal-context.ts";
import { cutToLength } from "../context/estimate-tokens.ts";
import { itemTokens, type Item } from "../context/prompt-section.ts";
import { asBlock, asLine } from "../context/section-markup.ts";

/** A memory as prompts show it: its key, its date, where it comes from, and its text. */
type PricedItem = Item & { readonly tokens: number };

export const SHORT_CHARS = 600;

/** Cached by object: only the entries of a changed file are new objects. */
const SHORT = new WeakMap<MemoryEntry, PricedItem>();

export function shortItem(entry: MemoryEntry): PricedItem {
  const cached = SHORT.get(entry);
  if (cached !== undefined) return cached;
  const item = memoryItem(entry, SHORT_CHARS);
  SHORT.set(entry, item);
  return item;
}

/** Returns the tokens of an entry in a prompt. */
export function entryTokens(entry: MemoryEntry): number {
  return shortItem(entry).tokens;
}

export function memoryItem(entry: MemoryEntry, maxChars: number): PricedItem {
  const value = valueText(entry);
  const shown = value.length > maxChars ? `${cutToLength(value, maxChars)} ... (memory_recall has the rest)` : value;
  const text = `- ${asLine(entry.key)} (${aboutEntry(entry)}): ${asBlock(shown)}`;
  return { name: entry.key, text, tokens: itemTokens(text) };
}

/** Returns the date, the source and the origin of an entry as text. */
function aboutEntry(entry: MemoryEntry): string {
  const facts = [
    dateText(entry.updated ?? entry.created),
    entry.tier === "archive" ? "archived" : "",
    asLine(validityText(entry)),
    `from ${asLine(entry.source)}`,
    isUntrusted(entry) ? UNTRUSTED_MARK : "",
    asLine(originText(entry) ?? ""),
  ];
  return facts.filter((fact) => fact !== "").join(", ");
}

/** Returns YYYY-MM-DD; an entry that a person wrote by hand has no date. */
export function dateText(time: string | null): string {
  const at = Date.parse(time ?? "");
  return Number.isNaN(at) ? "undated" : new Date(at).toISOString().slice(0, "YYYY-MM-DD".length);
}
