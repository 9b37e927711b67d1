/**
 * Finds the fenced code blocks of Markdown text. The rules are those of CommonMark, extended for how agents write: a
 * fence may be at any depth of lists and quotes and at any indentation. A fence that is never closed ends with the text,
 * or with its quote. Every line is read once.
 */
export interface Fence {
  /** From the start of the opening line to the end of the closing line, including its line break. */
  readonly start: number;
  readonly end: number;
  /** The opening run of ` or ~. */
  readonly marker: string;
  /** Columns before the marker; a tab counts as four. */
  readonly column: number;
  readonly quoted: boolean;
  readonly closed: boolean;
}

type Opening = Pick<Fence, "start" | "marker" | "column" | "quoted">;

export function findFences(text: string): Fence[] {
  if (!text.includes("```") && !text.includes("~~~")) return [];
  const fences: Fence[] = [];
  let open: Opening | null = null;
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf("\n", start);
    const end = lineBreak === -1 ? text.length : lineBreak + 1;
    const line = text.slice(start, end).trimEnd();
    if (open !== null && open.quoted && !/^[ \t]*>/.test(line)) {
      fences.push({ ...open, end: start, closed: true });
      open = null;
    }
    if (open === null) {
      const opening = readOpening(line);
      if (opening !== null) open = { start, ...opening };
    } else if (isClosing(line, open)) {
      fences.push({ ...open, end, closed: true });
      open = null;
    }
    start = end;
  }
  if (open !== null) fences.push({ ...open, end: text.length, closed: false });
  return fences;
}

function readOpening(line: string): Omit<Opening, "start"> | null {
  const { at, column, quoted } = skipContainers(line);
  const marker = markerAt(line, at);
  if (marker === null) return null;
  if (marker.startsWith("`") && line.includes("`", at + marker.length)) return null;
  return { marker, column, quoted };
}

/** A closing line contains only the marker, or a longer one, and is not indented much deeper than the opening line. */
function isClosing(line: string, open: Opening): boolean {
  const { at, column, quoted, listed } = skipContainers(line);
  if (listed || quoted !== open.quoted || column > open.column + 3) return false;
  const marker = markerAt(line, at);
  return marker !== null && marker.startsWith(open.marker) && at + marker.length === line.length;
}

function markerAt(line: string, at: number): string | null {
  const char = line[at];
  if (char !== "`" && char !== "~") return null;
  let end = at;
  while (line[end] === char) end += 1;
  return end - at < 3 ? null : line.slice(at, end);
}

const LIST_MARKER = /(?:[-*+]|\d{1,9}[.)])(?=[ \t])/y;

/** Skips indentation, quote marks and list markers. */
function skipContainers(line: string): { at: number; column: number; quoted: boolean; listed: boolean } {
  let at = 0;
  let column = 0;
  let quoted = false;
  let listed = false;
  for (;;) {
    const char = line[at];
    if (char === " " || char === "\t" || char === ">") {
      at += 1;
      column += char === "\t" ? 4 : 1;
      if (char === ">") quoted = true;
      continue;
    }
    LIST_MARKER.lastIndex = at;
    const marker = LIST_MARKER.exec(line);
    if (marker === null) return { at, column, quoted, listed };
    at += marker[0].length;
    column += marker[0].length;
    listed = true;
  }
}
