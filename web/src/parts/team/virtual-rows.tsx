import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Rows above and below what is visible, so that a short scroll shows no gap. */
const MARGIN_ROWS = 6;
/** Before the height of a row is known. */
const FIRST_ROWS = 30;

/**
 * A list of rows of the same height of which only those on the screen are elements, whatever their number. It scrolls
 * with the nearest element that scrolls.
 */
export function VirtualRows<T>({
  items,
  keyOf,
  class: className,
  label,
  current = -1,
  children,
}: {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly class: string;
  readonly label?: string;
  /** The place of the item that is kept in sight when it changes. */
  readonly current?: number;
  readonly children: (item: T) => ComponentChildren;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [range, setRange] = useState({ from: 0, to: FIRST_ROWS, height: 0 });
  useEffect(() => {
    const { current } = list;
    const scroller = current?.closest(".scrolls") ?? null;
    if (current === null || scroller === null) return;
    const measure = (): void => {
      const row = current.querySelector("li:not(.space)");
      const height = row === null ? 0 : row.getBoundingClientRect().height;
      if (height === 0) return;
      const above = scroller.getBoundingClientRect().top - current.getBoundingClientRect().top;
      const from = Math.max(0, Math.floor(above / height) - MARGIN_ROWS);
      const to = Math.ceil((above + scroller.clientHeight) / height) + MARGIN_ROWS;
      setRange((last) =>
        last.from === from && last.to === to && last.height === height ? last : { from, to, height },
      );
    };
    measure();
    scroller.addEventListener("scroll", measure, { passive: true });
    addEventListener("resize", measure);
    return () => {
      scroller.removeEventListener("scroll", measure);
      removeEventListener("resize", measure);
    };
  }, [items.length]);
  useEffect(() => {
    const scroller = list.current?.closest(".scrolls") ?? null;
    if (list.current === null || scroller === null || current < 0 || range.height === 0) return;
    const top = list.current.getBoundingClientRect().top + current * range.height;
    const place = scroller.getBoundingClientRect();
    const isInSight = top >= place.top && top + range.height <= place.bottom;
    if (!isInSight) scroller.scrollTop += top - place.top - place.height / 2;
  }, [current, range.height > 0]);
  const from = Math.min(range.from, Math.max(0, items.length - 1));
  const shown = items.slice(from, Math.max(range.to, from + 1));
  const below = items.length - from - shown.length;
  return (
    <ul ref={list} class={className} {...(label === undefined ? {} : { "aria-label": label })}>
      <Space rows={from} height={range.height} />
      {shown.map((item, at) => (
        <li key={keyOf(item)} aria-setsize={items.length} aria-posinset={from + at + 1}>
          {children(item)}
        </li>
      ))}
      <Space rows={below} height={range.height} />
    </ul>
  );
}

function Space({ rows, height }: { readonly rows: number; readonly height: number }) {
  if (rows <= 0) return null;
  return <li class="space" aria-hidden="true" style={{ height: `${rows * height}px` }} />;
}
