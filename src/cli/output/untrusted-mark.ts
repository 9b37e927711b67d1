/** Marks untrusted content, the same way everywhere. */
function mark(outside: boolean | undefined): string {
  return outside === true ? ` ${MARK}` : "";
}

const MARK = "(outside text)";

/** Puts the mark before the text, where the text cannot imitate or hide it. */
export function markedText(text: string, outside: boolean): string {
  return outside ? `${MARK} ${text}` : text;
}

export function sourceText({ source, outside }: { readonly source: string; readonly outside: boolean }): string {
  return `${source}${mark(outside)}`;
}

export function speakersText(speakers: readonly string[], outside: boolean | undefined): string {
  return `heard: ${speakers.join(", ") || "nobody"}${mark(outside)}`;
}
