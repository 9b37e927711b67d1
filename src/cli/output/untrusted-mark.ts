/** Marks untrusted content, the same way everywhere. */
function mark(outside: boolean | undefined): string {
  return outside === true ? " (outside text)" : "";
}

export function sourceText({ source, outside }: { readonly source: string; readonly outside: boolean }): string {
  return `${source}${mark(outside)}`;
}

export function speakersText(speakers: readonly string[], outside: boolean | undefined): string {
  return `heard: ${speakers.join(", ") || "nobody"}${mark(outside)}`;
}
