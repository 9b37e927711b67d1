/** A text cut where it mentions somebody, so that the mentions can be shown as such. */
export interface MentionPart {
  readonly text: string;
  /** The name that is mentioned; undefined for plain text. */
  readonly mention: string | undefined;
}

/** Only names the message really mentions, as the daemon has read it, and `@all`. */
export function mentionParts(text: string, mentions: readonly string[]): MentionPart[] {
  if (mentions.length === 0 || !text.includes("@")) return [{ text, mention: undefined }];
  const names = new Set([...mentions, "all"]);
  const parts: MentionPart[] = [];
  let at = 0;
  for (const found of text.matchAll(/(?<![\w@.-])@([A-Za-z][\w-]*)/g)) {
    const [whole, name = ""] = found;
    if (!names.has(name)) continue;
    if (found.index > at) parts.push({ text: text.slice(at, found.index), mention: undefined });
    parts.push({ text: whole, mention: name });
    at = found.index + whole.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), mention: undefined });
  return parts;
}
