import type { Line, Style } from "../screen/span.ts";
import type { Paint } from "../output/paint.ts";

/** Returns a line of the screen as a line of ordinary output. */
export function paintLine(paint: Paint, line: Line): string {
  return line.map(({ text, style }) => painted(paint, style, text)).join("");
}

function painted(paint: Paint, style: Style, text: string): string {
  switch (style) {
    case "dim":
      return paint.dim(text);
    case "bold":
      return paint.bold(text);
    case "good":
      return paint.good(text);
    case "bad":
      return paint.bad(text);
    default:
      return text;
  }
}
