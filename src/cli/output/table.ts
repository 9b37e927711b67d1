import type { Paint } from "./paint.ts";
import { textWidth } from "../screen/text-width.ts";
import { visibleLine } from "./visible-text.ts";

/** A painted cell. `paint` must not change the visible width of the text. */
export interface Cell {
  readonly text: string;
  paint(text: string): string;
}

export function formatTable(
  paint: Paint,
  headings: readonly string[],
  rows: readonly (readonly (string | Cell)[])[],
): string {
  const cells = rows.map((row) => row.map(cellOf));
  const widths = headings.map((heading, column) =>
    Math.max(textWidth(heading), ...cells.map((row) => textWidth(row[column]?.text ?? ""))),
  );
  const line = (row: readonly Cell[]): string => {
    const shown = row.map((cell, column) => {
      const last = column === row.length - 1;
      return `${cell.paint(cell.text)}${last ? "" : " ".repeat((widths[column] ?? 0) - textWidth(cell.text))}`;
    });
    return `${shown.join("  ").trimEnd()}\n`;
  };
  const head = line(headings.map((text) => ({ text, paint: paint.dim })));
  return `${head}${cells.map(line).join("")}`;
}

function cellOf(cell: string | Cell): Cell {
  if (typeof cell !== "string") return { text: visibleLine(cell.text), paint: (text) => cell.paint(text) };
  return { text: visibleLine(cell), paint: (text) => text };
}
