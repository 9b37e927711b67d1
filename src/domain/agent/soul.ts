import type { Soul } from "./definition.ts";

/**
 * The soul as text for the model. The same soul always gives the same bytes, whatever the order of its keys in the
 * file, because providers cache this part of the prompt.
 */
const KNOWN_TRAITS = [
  ["role", "Role"],
  ["expertise", "Expertise"],
  ["style", "Style"],
  ["principles", "Principles"],
] as const;

/** Deeper than people write. Also stops at a value that contains itself. */
const MAX_DEPTH = 6;

export function renderSoul(soul: Soul | undefined): string {
  if (soul === undefined) return "";
  const knownTraits = new Set<string>(KNOWN_TRAITS.map(([trait]) => trait));
  const others = Object.keys(soul)
    .filter((trait) => !knownTraits.has(trait))
    .sort()
    .map((trait) => [trait, trait] as const);
  return [...KNOWN_TRAITS, ...others]
    .map(([trait, title]) => renderTrait(title, soul[trait]))
    .filter((line) => line !== "")
    .join("\n");
}

function renderTrait(title: string, value: unknown): string {
  if (title === "Principles" || (Array.isArray(value) && value.some((item) => typeof item === "object"))) {
    const items = (Array.isArray(value) ? value : [value]).map((item) => renderValue(item, 0)).filter(Boolean);
    return items.length === 0 ? "" : [`${title}:`, ...items.map((item) => `- ${indented(item)}`)].join("\n");
  }
  const text = renderValue(value, 0);
  return text === "" ? "" : `${title}: ${indented(text)}`;
}

function renderValue(value: unknown, depth: number): string {
  if (typeof value === "string") return value.trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null) return "";
  if (depth > MAX_DEPTH) return "...";
  if (Array.isArray(value)) {
    return value
      .map((item) => renderValue(item, depth + 1))
      .filter(Boolean)
      .join(", ");
  }
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, renderValue(inner, depth + 1)] as const)
    .filter(([, text]) => text !== "")
    .map(([key, text]) => (depth === 0 ? `${key}: ${text}` : `${key}=${text}`))
    .join("; ");
}

/** Indents further lines of one trait. */
function indented(text: string): string {
  return text.replace(/\n/g, "\n  ");
}
