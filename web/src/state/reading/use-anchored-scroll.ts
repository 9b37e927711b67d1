import { useLayoutEffect, useRef, useState } from "preact/hooks";

const NEAR_PX = 120;

/** A card under the pointer stays there: it may be about to be decided. On a phone the last tap counts as the pointer. */
function isDeciding(list: Element): boolean {
  return list.querySelector(".decision:not(:has(.outcome)):is(:hover, :focus-within)") !== null;
}

/** What a person has just unfolded stays where it was unfolded. */
function isUnfolding(list: Element): boolean {
  return list.querySelector("details:is(:hover, :focus-within)") !== null;
}

function sizeOf({ clientWidth, clientHeight }: Element): string {
  return `${clientWidth} ${clientHeight}`;
}

/** Returns how much of the list is below what is shown. */
function belowOf({ scrollHeight, scrollTop, clientHeight }: Element): number {
  return scrollHeight - scrollTop - clientHeight;
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
  /** Of the list, and how high its content was, when its place was last looked at. */
  const size = useRef("");
  const height = useRef(0);
  const [behind, setBehind] = useState(false);
  const hasLater = useRef(parts.hasLater);
  hasLater.current = parts.hasLater;
  const remember = (): void => {
    const { current } = list;
    if (current === null) return;
    const { top } = current.getBoundingClientRect();
    const rows = [...current.querySelectorAll<HTMLElement>("[data-row]")];
    // The first row of all has the day and a name above it, which go when something comes before it.
    const visible = rows.filter((row, at) => at > 0 && row.getBoundingClientRect().bottom > top);
    const [row = rows[0]] = visible;
    size.current = sizeOf(current);
    height.current = current.scrollHeight;
    if (row === undefined) return;
    anchor.current = { row: row.dataset["row"] ?? "", top: row.getBoundingClientRect().top - top };
  };
  const scrollToEnd = (): void => {
    const { current } = list;
    if (current !== null) current.scrollTop = current.scrollHeight;
  };
  /** Returns whether the end is shown. `holds`: what the person is about to use stays in its place. */
  const keepPlace = (holds: (list: Element) => boolean = isDeciding): boolean => {
    const { current } = list;
    if (current === null) return true;
    const toEnd = isAtEnd.current && !hasLater.current && !holds(current);
    const row = toEnd ? null : current.querySelector(`[data-row="${anchor.current?.row ?? ""}"]`);
    if (toEnd) scrollToEnd();
    else if (row !== null && anchor.current !== undefined) {
      current.scrollTop += row.getBoundingClientRect().top - current.getBoundingClientRect().top - anchor.current.top;
    }
    remember();
    return toEnd || (!hasLater.current && belowOf(current) <= 1);
  };
  useLayoutEffect(() => setBehind(!keepPlace()), changes);
  // A narrower window makes rows longer, and a longer text in the composer takes from the list: nothing was scrolled,
  // so the same place stays on the screen. So it does when a row loads more of what it shows.
  useLayoutEffect(() => {
    const { current } = list;
    const rows = current?.firstElementChild;
    if (current === null || rows == null) return;
    const observer = new ResizeObserver(() => {
      // With another width everything has moved already: the end is what the person looked at.
      const isResized = size.current !== sizeOf(current);
      if (!isResized && isUnfolding(current)) return remember();
      setBehind(!keepPlace(isResized ? () => false : isDeciding));
    });
    observer.observe(current);
    observer.observe(rows);
    return () => observer.disconnect();
  }, [list.current]);
  const onScroll = (): void => {
    const { current } = list;
    if (current === null) return;
    // The browser moved what is shown, because the list or its content has another size: no person did.
    if (size.current !== sizeOf(current)) return void keepPlace(() => false);
    if (height.current !== current.scrollHeight && !isUnfolding(current)) return void keepPlace();
    const below = belowOf(current);
    isAtEnd.current = below < NEAR_PX && !parts.hasLater;
    remember();
    if (isAtEnd.current) setBehind(false);
    if (below < NEAR_PX && parts.hasLater) parts.onEnd();
    if (current.scrollTop < NEAR_PX) parts.onBeginning();
  };
  return { list, behind: behind || parts.hasLater, onScroll, scrollToEnd, remember };
}
