import { useLayoutEffect, useRef, useState } from "preact/hooks";

const NEAR_PX = 120;

/** A card under the pointer stays there: it may be about to be decided. */
function isDeciding(list: Element): boolean {
  return list.querySelector(".decision:is(:hover, :focus-within)") !== null;
}

/** A row on the screen, and how far it is below the top of the list. */
interface Anchor {
  readonly row: string;
  readonly top: number;
}

/**
 * Keeps a list at its end if it was there. Otherwise what is visible stays in its place, whatever is added or removed
 * above and below. Rows have the attribute `data-row`.
 */
export function useAnchoredScroll(
  isAtEnd: { current: boolean },
  changes: readonly unknown[],
  parts: { readonly hasLater: boolean; onBeginning(): void; onEnd(): void },
) {
  const list = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor>(undefined);
  const [behind, setBehind] = useState(false);
  const remember = (): void => {
    const { current } = list;
    if (current === null) return;
    const { top } = current.getBoundingClientRect();
    const rows = [...current.querySelectorAll<HTMLElement>("[data-row]")];
    // The first row of all has the day and a name above it, which go when something comes before it.
    const visible = rows.filter((row, at) => at > 0 && row.getBoundingClientRect().bottom > top);
    const [row = rows[0]] = visible;
    if (row === undefined) return;
    anchor.current = { row: row.dataset["row"] ?? "", top: row.getBoundingClientRect().top - top };
  };
  const scrollToEnd = (): void => {
    const { current } = list;
    if (current !== null) current.scrollTop = current.scrollHeight;
  };
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null) return;
    if (isAtEnd.current && !parts.hasLater && !isDeciding(current)) {
      scrollToEnd();
    } else {
      const row = current.querySelector(`[data-row="${anchor.current?.row ?? ""}"]`);
      if (row !== null && anchor.current !== undefined) {
        current.scrollTop += row.getBoundingClientRect().top - current.getBoundingClientRect().top - anchor.current.top;
      }
      setBehind(true);
    }
    remember();
  }, changes);
  const onScroll = (): void => {
    const { current } = list;
    if (current === null) return;
    const below = current.scrollHeight - current.scrollTop - current.clientHeight;
    isAtEnd.current = below < NEAR_PX && !parts.hasLater;
    remember();
    if (isAtEnd.current) setBehind(false);
    if (below < NEAR_PX && parts.hasLater) parts.onEnd();
    if (current.scrollTop < NEAR_PX) parts.onBeginning();
  };
  return { list, behind: behind || parts.hasLater, onScroll, scrollToEnd, remember };
}
