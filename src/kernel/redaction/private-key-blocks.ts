import { charactersOf, endOfRun } from "./character-set.ts";

const HEADER = "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
const FOOTER = "-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
const KEY_CHARACTERS = charactersOf("A-Za-z0-9+/=");
const LINE_ENDS = charactersOf("\\s");
const LEAST_LINE = 20;

/**
 * Returns a function that returns the end of the private key whose first line begins at a place of the text, or -1. The
 * places must be asked for in order: what was found behind one of them is not looked for again.
 */
export function privateKeyBlocks(text: string): (at: number) => number {
  const header = new RegExp(HEADER, "y");
  const nextHeader = forwardSearch(text, HEADER);
  const nextFooter = forwardSearch(text, FOOTER);
  return (at) => {
    header.lastIndex = at;
    if (!header.test(text)) return -1;
    const bodyStart = header.lastIndex;
    const footer = nextFooter(bodyStart);
    // Of a truncated block, everything that looks like key material is part of the key.
    return footer.index < nextHeader(bodyStart).index ? footer.end : endOfKeyLines(text, bodyStart);
  };
}

interface Match {
  readonly index: number;
  readonly end: number;
}

function forwardSearch(text: string, source: string): (from: number) => Match {
  const pattern = new RegExp(source, "g");
  let found: Match = { index: -1, end: -1 };
  return (from) => {
    if (found.index < from) {
      pattern.lastIndex = from;
      const match = pattern.exec(text);
      found = match === null ? NOWHERE : { index: match.index, end: pattern.lastIndex };
    }
    return found;
  };
}

const NOWHERE: Match = { index: Infinity, end: Infinity };

function endOfKeyLines(text: string, start: number): number {
  let end = start;
  for (;;) {
    const line = endOfLineEnds(text, end);
    const next = endOfRun(text, line, KEY_CHARACTERS);
    if (next - line < LEAST_LINE) return end;
    end = next;
  }
}

/** Line ends may be escaped, because the key stands in a JSON text. */
function endOfLineEnds(text: string, start: number): number {
  let at = endOfRun(text, start, LINE_ENDS);
  while (text[at] === "\\" && (text[at + 1] === "n" || text[at + 1] === "r")) at = endOfRun(text, at + 2, LINE_ENDS);
  return at;
}
