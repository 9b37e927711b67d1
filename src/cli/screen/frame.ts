import type { Line, Style } from "./span.ts";

/** What a screen shows: one line per row, and where the cursor is, from 0. No cursor is shown without a place. */
export interface Frame {
  readonly lines: readonly Line[];
  readonly cursor?: { readonly row: number; readonly column: number };
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

const CODES: Readonly<Record<Style, readonly number[]>> = {
  plain: [],
  dim: [2],
  bold: [1],
  good: [32],
  bad: [31],
  warn: [33],
  code: [36],
  keyword: [35],
  string: [32],
  chosen: [7],
  name0: [36],
  name1: [33],
  name2: [35],
  name3: [32],
  name4: [34],
  name5: [96],
};

/** Styles that are no colours stay without colours: something that is chosen must be seen. */
const WITHOUT_COLOURS: ReadonlySet<Style> = new Set(["bold", "dim", "chosen"]);

/** The terminal shows everything between these two at once, if it knows them. */
const BEGIN = "\u001b[?2026h";
const END = "\u001b[?2026l";
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

/** Returns a row as it is written. Two rows that look the same are the same text. */
export function rowText(spans: Line, colours: boolean): string {
  return spans
    .map(({ text, style }) => {
      const codes = colours || WITHOUT_COLOURS.has(style) ? CODES[style] : [];
      return codes.length === 0 || text === "" ? text : `\u001b[${codes.join(";")}m${text}\u001b[0m`;
    })
    .join("");
}

/**
 * Returns what to write so that a screen with the rows `shown` shows `next`: only rows that differ, each in its place,
 * and nothing is cleared first, so nothing flickers. Empty when nothing differs.
 */
export function frameUpdate(
  shown: readonly string[] | undefined,
  next: readonly string[],
  cursor: Frame["cursor"],
): string {
  const changed = next.flatMap((row, at) => (shown?.[at] === row ? [] : [`\u001b[${at + 1};1H${row}\u001b[K`]));
  const place = cursor === undefined ? "" : `\u001b[${cursor.row + 1};${cursor.column + 1}H${SHOW_CURSOR}`;
  if (changed.length === 0) return cursor === undefined ? HIDE_CURSOR : place;
  return `${BEGIN}${HIDE_CURSOR}${changed.join("")}${place}${END}`;
}
