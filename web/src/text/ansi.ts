/** A part of the output of a program, with the colour that it chose. */
export interface AnsiPart {
  readonly text: string;
  /** 0 to 7: black, red, green, yellow, blue, magenta, cyan, white. */
  readonly colour: number | undefined;
  readonly bold: boolean;
}

/** Whether a text has colours of a terminal. */
export function hasAnsi(text: string): boolean {
  return text.includes("\u001b[");
}

/**
 * Reads the colours of a terminal. Other sequences, which move the cursor or change the window, are taken out: on a page
 * they have no effect, and they could make a text look like another one. Escapes that are left are made visible later.
 */
export function ansiParts(text: string): readonly AnsiPart[] {
  const parts: AnsiPart[] = [];
  let style: Omit<AnsiPart, "text"> = { colour: undefined, bold: false };
  let at = 0;
  // oxlint-disable-next-line no-control-regex -- escape sequences are what it is about.
  for (const found of text.matchAll(/\u001b\[([\d;]*)([A-Za-z])/g)) {
    if (found.index > at) parts.push({ ...style, text: text.slice(at, found.index) });
    if (found[2] === "m") style = styleAfter(style, found[1] ?? "");
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push({ ...style, text: text.slice(at) });
  return parts;
}

function styleAfter(style: Omit<AnsiPart, "text">, codes: string): Omit<AnsiPart, "text"> {
  const numbers = codes.split(";").map(Number);
  // Colours by number or by red, green and blue are left out.
  if (numbers.includes(38) || numbers.includes(48)) return style;
  let { colour, bold } = style;
  for (const code of numbers) {
    if (code === 0) [colour, bold] = [undefined, false];
    else if (code === 1) bold = true;
    else if (code === 22) bold = false;
    else if (code === 39) colour = undefined;
    else if (code >= 30 && code <= 37) colour = code - 30;
    else if (code >= 90 && code <= 97) colour = code - 90;
  }
  return { colour, bold };
}
