import type { MemoryEntryView } from "../../contract/memory.ts";
import { isUntrusted } from "../../domain/recall/untrusted-content.ts";
import type { MemoryEntry, MemoryValue } from "../../ports/personal-context.ts";

export function toMemoryEntryView(entry: MemoryEntry): MemoryEntryView {
  const { origin } = entry;
  return {
    ...entry,
    value: toJson(entry.value),
    outside: isUntrusted(entry),
    origin: origin === null ? null : { ...origin, heard: [...origin.heard] },
    replaces: entry.replaces ?? null,
    validUntil: entry.validUntil ?? null,
    replacedBy: entry.replacedBy ?? null,
  };
}

/** Returns a mutable copy. */
function toJson(value: MemoryValue): MemoryEntryView["value"] {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(toJson);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJson(inner)]));
}

function isList(value: object): value is readonly MemoryValue[] {
  return Array.isArray(value);
}
