import { PERSON } from "../../domain/message/message.ts";
import { checkNovelty } from "../../domain/recall/novelty.ts";
import { isUntrusted } from "../../domain/recall/untrusted-content.ts";
import type { MemoryEntry } from "../../ports/personal-context.ts";
import { isSetAside } from "../memory/memory-prompt-index.ts";
import { knownText } from "../memory/memory-terms.ts";

/** An entry that says nothing that another one does not say. */
export interface RepeatedEntry {
  readonly entry: MemoryEntry;
  readonly by: MemoryEntry;
}

/**
 * Finds the working entries of an agent that another entry repeats in nearly the same words and order. The text of no entry
 * is changed, so each keeps its provenance. What a person wrote is never found, and a trusted or shared entry is never set
 * aside for one that is less: otherwise untrusted content could displace it.
 */
export function findRepeated(entries: readonly MemoryEntry[]): readonly RepeatedEntry[] {
  const current = entries.filter((entry) => !isSetAside(entry)).toSorted(oldestFirst);
  const byTerm = new Map<string, MemoryEntry[]>();
  for (const entry of current) {
    for (const term of new Set(knownText(entry).terms)) {
      const list = byTerm.get(term);
      if (list === undefined) byTerm.set(term, [entry]);
      else list.push(entry);
    }
  }
  const aside = new Set<MemoryEntry>();
  const found: RepeatedEntry[] = [];
  for (const entry of current) {
    if (entry.tier !== "working" || entry.source === PERSON) continue;
    const by = candidates(entry, byTerm).find(
      (other) => other !== entry && !aside.has(other) && mayStandFor(other, entry) && repeats(entry, other),
    );
    if (by === undefined) continue;
    aside.add(entry);
    found.push({ entry, by });
  }
  return found;
}

/** The entries that have the rarest term of this one, the newest first. */
function candidates(entry: MemoryEntry, byTerm: ReadonlyMap<string, readonly MemoryEntry[]>): readonly MemoryEntry[] {
  const lists = [...new Set(knownText(entry).terms)].map((term) => byTerm.get(term) ?? []);
  const shortest = lists.toSorted((a, b) => a.length - b.length)[0] ?? [];
  return shortest.toReversed();
}

function mayStandFor(other: MemoryEntry, entry: MemoryEntry): boolean {
  if (isUntrusted(other) && !isUntrusted(entry)) return false;
  return entry.visibility === "private" || entry.visibility === other.visibility;
}

function repeats(entry: MemoryEntry, other: MemoryEntry): boolean {
  return checkNovelty(knownText(entry).text, true, [knownText(other)]).kind === "repeat";
}

/** Entries written by hand have no time and stay longest. */
function oldestFirst(a: MemoryEntry, b: MemoryEntry): number {
  const [left, right] = [a.updated ?? a.created ?? "9999", b.updated ?? b.created ?? "9999"];
  return left === right ? 0 : left < right ? -1 : 1;
}
