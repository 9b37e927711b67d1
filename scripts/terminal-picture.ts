/**
 * Draws terminal output as an SVG without scripts, fonts or anything else to load. It supports the escape sequences
 * that our own command writes; any other is an error, so that a new colour is not lost unnoticed.
 */
const LINE_HEIGHT = 19;
const CHARACTER_WIDTH = 8.43;
const MARGIN = 20;
const TITLE_HEIGHT = 34;

const COLOURS: Readonly<Record<number, string>> = {
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
};

interface Style {
  readonly bold: boolean;
  readonly dim: boolean;
  readonly colour: string | undefined;
}

const PLAIN: Style = { bold: false, dim: false, colour: undefined };

export interface Picture {
  /** Shown above the text, like the title of a terminal window. */
  readonly title: string;
  /** For people who cannot see the picture. */
  readonly description: string;
  readonly columns: number;
  readonly text: string;
}

export function terminalPicture({ title, description, columns, text }: Picture): string {
  const lines = text.replace(/\n+$/, "").split("\n");
  const width = Math.ceil(columns * CHARACTER_WIDTH) + 2 * MARGIN;
  const height = TITLE_HEIGHT + lines.length * LINE_HEIGHT + 2 * MARGIN;
  let style = PLAIN;
  const rows = lines.map((line, index) => {
    const drawn = drawLine(line, style);
    style = drawn.style;
    const y = TITLE_HEIGHT + MARGIN + index * LINE_HEIGHT + 14;
    return drawn.text === "" ? "" : `<text x="${MARGIN}" y="${y}">${drawn.text}</text>\n`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" xml:space="preserve">
<title>${escaped(description)}</title>
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;fill:#e6edf3}.d{fill-opacity:.62}.b{font-weight:700}</style>
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
<text x="${MARGIN}" y="27" class="d">${escaped(title)}</text>
${rows.join("")}</svg>
`;
}

function drawLine(line: string, begin: Style): { readonly text: string; readonly style: Style } {
  let style = begin;
  let text = "";
  let at = 0;
  // oxlint-disable-next-line no-control-regex -- escape sequences are what it is about
  for (const sequence of line.matchAll(/\u001b\[(\d+)m/g)) {
    text += span(line.slice(at, sequence.index), style);
    style = changed(style, Number(sequence[1]));
    at = sequence.index + sequence[0].length;
  }
  return { text: text + span(line.slice(at), style), style };
}

function changed(style: Style, code: number): Style {
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, colour: undefined };
  const colour = COLOURS[code];
  if (colour === undefined) throw new Error(`no colour for the escape sequence ${code}`);
  return { ...style, colour };
}

function span(text: string, { bold, dim, colour }: Style): string {
  if (text === "") return "";
  const classes = [...(bold ? ["b"] : []), ...(dim ? ["d"] : [])].join(" ");
  const classAttribute = classes === "" ? "" : ` class="${classes}"`;
  const styleAttribute = colour === undefined ? "" : ` style="fill:${colour}"`;
  const attributes = classAttribute + styleAttribute;
  return attributes === "" ? escaped(text) : `<tspan${attributes}>${escaped(text)}</tspan>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
