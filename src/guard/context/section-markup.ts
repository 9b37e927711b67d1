/**
 * The markup of a prompt. Each part is a section with its own tag; what people and agents wrote is data inside. Data
 * cannot end its section: a character that would open or close one of these tags is written as `&lt;`, and nothing else
 * of the text is changed. So all tags, and the attributes that name a sender, are written by this code.
 */
export const SECTION_TAGS = [
  "soul",
  "conduct",
  "workflow",
  "team",
  "skills",
  "tools",
  "memory",
  "todos",
  "documents",
  "document",
  "channel",
  "conversation",
  "inbox",
  "message",
  "now",
] as const;
export type SectionTag = (typeof SECTION_TAGS)[number];

export type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** Includes characters that look like `<` or `/`, and invisible ones around them. HIDDEN is bounded to keep it fast. */
const OPENING = String.raw`[<\u2039\u2329\u27e8\u276e\u3008\ufe64\uff1c]`;
const HIDDEN = String.raw`[\s\p{C}]{0,8}`;
const SLASH = String.raw`[/\u2044\u2215\uff0f]?`;
const SECTION_TAG = new RegExp(
  `${OPENING}(?=${HIDDEN}${SLASH}${HIDDEN}(?:${SECTION_TAGS.join("|")})(?![\\p{L}\\p{N}]))`,
  "giu",
);

/** Escapes a text so that it cannot end its section or begin another one. */
export function asData(text: string): string {
  return text.toWellFormed().replace(SECTION_TAG, "&lt;");
}

/** Like `asData`, on one line, for lists. */
export function asLine(text: string): string {
  return asData(text.replace(/[\s\p{Cc}]+/gu, " ").trim());
}

/** Like `asData`, with its lines indented, so that none of them looks like another item of the list. */
export function asBlock(text: string): string {
  return asData(text.trim().replace(/\r\n?|[\n\v\f\u0085\u2028\u2029]/g, "\n  "));
}

/** Leaves out attributes without a value. The body is not escaped: the caller passes data through `asData`. */
export function section(tag: SectionTag, attributes: Attributes, body: string): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}="${attributeText(String(value))}"`);
  return `<${tag}${written.join("")}>\n${body}\n</${tag}>`;
}

/** Names, ids, numbers and times, which nearly all attributes are, need no escaping. */
const PLAIN = /^[\w@:.+-]*$/;

function attributeText(value: string): string {
  if (PLAIN.test(value)) return value;
  const line = value.replace(/[\s\p{Cc}]+/gu, " ").replace(/&/g, "&amp;");
  return asData(line).replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
