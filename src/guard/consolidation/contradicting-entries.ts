import { contradicts } from "../../domain/recall/contradiction.ts";
import type { MemoryEntry } from "../../ports/personal-context.ts";
import { knownText } from "../memory/memory-terms.ts";

const MOST_COMPARED = 200;

/** Finds pairs of entries that say different things about the same. The older one is the first of a pair. */
export function findContradictions(
  entries: readonly MemoryEntry[],
): readonly { readonly first: MemoryEntry; readonly second: MemoryEntry }[] {
  const current = entries.filter(({ tier }) => tier !== "archive");
  const byTerm = Map.groupBy(
    current.flatMap((entry) => [...new Set(knownText(entry).terms)].map((term) => ({ term, entry }))),
    ({ term }) => term,
  );
  const order = new Map(current.map((entry, index) => [entry, index] as const));
  const found = new Map<string, { readonly first: MemoryEntry; readonly second: MemoryEntry }>();
  for (const entry of current) {
    const { terms } = knownText(entry);
    const lists = [...new Set(terms)].map((term) => byTerm.get(term) ?? []).filter((list) => list.length > 1);
    for (const { entry: other } of lists.flat().slice(0, MOST_COMPARED)) {
      if (other === entry || !contradicts(terms, knownText(other).terms)) continue;
      const [first, second] = isOlder(entry, other, order) ? [entry, other] : [other, entry];
      found.set(`${order.get(first)} ${order.get(second)}`, { first, second });
    }
  }
  return [...found.values()];
}

function isOlder(a: MemoryEntry, b: MemoryEntry, order: ReadonlyMap<MemoryEntry, number>): boolean {
  const [left, right] = [a.updated ?? a.created ?? "", b.updated ?? b.created ?? ""];
  return left === right ? (order.get(a) ?? 0) < (order.get(b) ?? 0) : left < right;
}
