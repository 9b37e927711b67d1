/** The text that a person writes, and the place of the caret in it. */
export interface InputText {
  readonly text: string;
  readonly caret: number;
}

export const EMPTY_DRAFT: InputText = { text: "", caret: 0 };

export function insert({ text, caret }: InputText, added: string): InputText {
  return { text: text.slice(0, caret) + added + text.slice(caret), caret: caret + added.length };
}

/** A draft with the caret at its end. */
export function draftOf(text: string): InputText {
  return { text, caret: text.length };
}

/** The way a key moves the caret, or removes text. */
export type DraftEdit =
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "line-start"
  | "line-end"
  | "remove-left"
  | "remove-right"
  | "remove-word"
  | "remove-to-start"
  | "remove-to-end";

export function edit(draft: InputText, how: DraftEdit): InputText {
  const { text, caret } = draft;
  switch (how) {
    case "left":
      return { text, caret: previous(text, caret) };
    case "right":
      return { text, caret: next(text, caret) };
    case "word-left":
      return { text, caret: wordStart(text, caret) };
    case "word-right":
      return { text, caret: caret + (/^\s*\S*/.exec(text.slice(caret))?.[0].length ?? 0) };
    case "line-start":
      return { text, caret: lineStart(text, caret) };
    case "line-end":
      return { text, caret: lineEnd(text, caret) };
    case "remove-left":
      return remove(text, previous(text, caret), caret);
    case "remove-right":
      return remove(text, caret, next(text, caret));
    case "remove-word":
      return remove(text, wordStart(text, caret), caret);
    case "remove-to-start":
      return remove(text, lineStart(text, caret), caret);
    case "remove-to-end":
      return remove(text, caret, lineEnd(text, caret));
  }
}

/** Moves the caret to the line above or below. Returns undefined when there is none. */
export function moveLine({ text, caret }: InputText, direction: "up" | "down"): InputText | undefined {
  const start = lineStart(text, caret);
  const column = caret - start;
  if (direction === "up") {
    if (start === 0) return undefined;
    const above = lineStart(text, start - 1);
    return { text, caret: Math.min(above + column, start - 1) };
  }
  const end = lineEnd(text, caret);
  if (end === text.length) return undefined;
  return { text, caret: Math.min(end + 1 + column, lineEnd(text, end + 1)) };
}

function remove(text: string, from: number, to: number): InputText {
  return { text: text.slice(0, from) + text.slice(to), caret: from };
}

let segmenter: Intl.Segmenter | undefined;

/** Made at the first key that needs it, because that takes long. */
function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** The caret never stands inside a character that is drawn as one. */
function previous(text: string, caret: number): number {
  const last = [...segments(text.slice(0, caret))].at(-1);
  return last?.index ?? 0;
}

function next(text: string, caret: number): number {
  const [first] = segments(text.slice(caret));
  return caret + (first?.segment.length ?? 0);
}

function wordStart(text: string, caret: number): number {
  return /\S*\s*$/.exec(text.slice(0, caret))?.index ?? 0;
}

function lineStart(text: string, caret: number): number {
  return caret === 0 ? 0 : text.lastIndexOf("\n", caret - 1) + 1;
}

function lineEnd(text: string, caret: number): number {
  const end = text.indexOf("\n", caret);
  return end === -1 ? text.length : end;
}
