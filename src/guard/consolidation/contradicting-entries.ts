import { contradicts, subjectOf } from "../../domain/recall/contradiction.ts";
import type { MemoryEntry } from "../../ports/personal-context.ts";
import { isSetAside } from "../memory/memory-prompt-index.ts";
import { knownText } from "../memory/memory-terms.ts";

/** More entries about the same are a list, such as the prices of several things, and no contradiction. */
const MOST_OF_SUBJECT = 3;

/** Finds pairs of entries that say different things about the same. The older one is the first of a pair. */
export function findContradictions(
  entries: readonly MemoryEntry[],
): readonly { readonly first: MemoryEntry; readonly second: MemoryEntry }[] {
  const current = entries.filter((entry) => !isSetAside(entry)).toSorted(oldestFirst);
  const subjects = Map.groupBy(current, (entry) => subjectOf(knownText(entry).terms));
  return [...subjects.values()]
    .filter((group) => group.length <= MOST_OF_SUBJECT)
    .flatMap((group) =>
      group.flatMap((first, at) =>
        group
          .slice(at + 1)
          .filter((second) => contradicts(knownText(first).terms, knownText(second).terms))
          .map((second) => ({ first, second })),
      ),
    );
}

function oldestFirst(a: MemoryEntry, b: MemoryEntry): number {
  const [left, right] = [a.updated ?? a.created ?? "", b.updated ?? b.created ?? ""];
  return left === right ? 0 : left < right ? -1 : 1;
}
