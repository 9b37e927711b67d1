import type { Line } from "../../screen/span.ts";
import type { FeedAnchor } from "../model/chat-state.ts";
import type { FeedItem } from "../model/feed.ts";
import { itemLines, type FeedLayout } from "./item-lines.ts";

/**
 * A pane as it is scrolled: its items, and after them lines that change all the time. Only the items that are shown are
 * laid out, and each of them once, so the time to scroll does not depend on how many there are.
 */
export interface FeedLines {
  readonly items: readonly FeedItem[];
  /** Behind the last item: runs at work and decisions. */
  readonly tail: readonly Line[];
  readonly layout: FeedLayout;
}

/** The key of the tail in an anchor. */
const TAIL = "tail";

/** Returns the lines of a window that ends at the anchor, or at the end. */
export function feedWindow(feed: FeedLines, anchor: FeedAnchor | undefined, height: number): Line[] {
  const lines: Line[] = [];
  let { index, line } = placeOf(feed, anchor);
  for (; index >= 0 && lines.length < height; index -= 1) {
    const block = blockAt(feed, index);
    const shown = block.slice(0, line === undefined ? block.length : line + 1);
    lines.unshift(...shown.slice(Math.max(0, shown.length - (height - lines.length))));
    line = undefined;
  }
  return lines;
}

/** Moves the window by so many lines, up when negative. Returns undefined at the end, which is then followed. */
export function moveAnchor(
  feed: FeedLines,
  anchor: FeedAnchor | undefined,
  by: number,
  height: number,
): FeedAnchor | undefined {
  let { index, line: place } = placeOf(feed, anchor);
  let line = place ?? blockAt(feed, index).length - 1;
  line += by;
  while (line < 0 && index > 0) {
    index -= 1;
    line += blockAt(feed, index).length;
  }
  while (line >= blockAt(feed, index).length) {
    if (index >= feed.items.length) return undefined;
    line -= blockAt(feed, index).length;
    index += 1;
  }
  const lowest = lowestTop(feed, height);
  if (index < lowest.index || (index === lowest.index && line < lowest.line)) ({ index, line } = lowest);
  if (isEnd(feed, index, line)) return undefined;
  return { key: feed.items[index]?.key ?? TAIL, line };
}

/** The anchor with an item at the top of the window, or as near to it as possible. */
export function anchorAt(feed: FeedLines, key: string, height: number): FeedAnchor | undefined {
  const index = feed.items.findIndex((item) => item.key === key);
  if (index === -1) return undefined;
  return moveAnchor(feed, { key, line: 0 }, height - 1, height);
}

/** Whether the first item is in the window. */
export function showsFirst(feed: FeedLines, anchor: FeedAnchor | undefined, height: number): boolean {
  let { index, line } = placeOf(feed, anchor);
  let shown = line === undefined ? blockAt(feed, index).length : line + 1;
  for (; index > 0 && shown < height; shown += blockAt(feed, index).length) index -= 1;
  return index === 0;
}

/** The highest place at which the window is still full. */
function lowestTop(feed: FeedLines, height: number): { index: number; line: number } {
  let left = height;
  let index = 0;
  for (; index < feed.items.length; index += 1) {
    const { length } = blockAt(feed, index);
    if (length >= left) return { index, line: left - 1 };
    left -= length;
  }
  return { index, line: Math.min(left, feed.tail.length) - 1 };
}

function placeOf({ items }: FeedLines, anchor: FeedAnchor | undefined): { index: number; line: number | undefined } {
  if (anchor === undefined) return { index: items.length, line: undefined };
  if (anchor.key === TAIL) return { index: items.length, line: anchor.line };
  const index = items.findLastIndex(({ key }) => key === anchor.key);
  return index === -1 ? { index: items.length, line: undefined } : { index, line: anchor.line };
}

function isEnd(feed: FeedLines, index: number, line: number): boolean {
  if (index === feed.items.length) return line >= feed.tail.length - 1;
  return feed.tail.length === 0 && index === feed.items.length - 1 && line >= blockAt(feed, index).length - 1;
}

/** The lines of an item; the tail is behind the last one. */
function blockAt({ items, tail, layout }: FeedLines, index: number): readonly Line[] {
  const item = items[index];
  if (item === undefined) return tail;
  const known = cache.get(item);
  if (known?.layout === layout) return known.lines;
  const lines = itemLines(item, layout);
  cache.set(item, { layout, lines });
  return lines;
}

const cache = new WeakMap<FeedItem, { readonly layout: FeedLayout; readonly lines: readonly Line[] }>();
