/** A part of a text: a mention, or the text between mentions. */
export interface MentionPart {
  readonly text: string;
  /** The mentioned name; undefined for plain text. */
  readonly mention: string | undefined;
}

/** Splits a text at its mentions: those that the daemon has found, with them `@all`, and the person. */
export function mentionParts(text: string, mentions: readonly string[]): MentionPart[] {
  if (!text.includes("@")) return [{ text, mention: undefined }];
  const names = new Set([...mentions, "user", ...(mentions.length === 0 ? [] : ["all"])]);
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
