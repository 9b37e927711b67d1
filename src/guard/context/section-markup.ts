import { INVISIBLE, lookAlikeSkeleton } from "../../domain/text/look-alike.ts";

/**
 * The markup of a prompt. Each part is a section with its own tag; what people and agents wrote is data inside. Data
 * cannot end its section: a character that would open or close one of these tags, or what looks like one, is written as
 * `&lt;`, and nothing else of the text is changed. So all tags, and the attributes that name a sender, are written by this code.
 */
export const SECTION_TAGS = [
  "soul",
  "conduct",
  "workflow",
  "guidance",
  "team",
  "skills",
  // No section any more; prompts of earlier versions had one.
  "tools",
  "memory",
  "todos",
  "documents",
  "document",
  "channel",
  "conversation",
  "summary",
  "inbox",
  "message",
  "images",
  "now",
  "excerpt",
] as const;
export type SectionTag = (typeof SECTION_TAGS)[number];

export type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** Characters that look like the `<` and the `/` of a tag. */
const OPENING =
  /[<\u02c2\u1438\u16b2\u2039\u226a\u226e\u227a\u22d6\u22d8\u2329\u276c\u276e\u2770\u27e8\u2991\u29fc\u2a79\u2a7b\u2aa1\u3008\ufe64\uff1c\u{1d236}]/gu;
/** Letters that look like a `<` or a `>`. */
const BRACKET_LETTER = /[\u1433\u1438\u16b2]/u;
const SLASH = /[/\\\u2044\u2215\u2571\u27cb\u29f8\u3033\uff0f\ufe68\uff3c]/u;
const LETTER = /[\p{L}\p{N}]/u;

const TAG_SKELETONS: ReadonlySet<string> = new Set(SECTION_TAGS.map(lookAlikeSkeleton));
/** In UTF-16 units: a letter can have two of them, and two letters can imitate one. */
const LONGEST_NAME = 4 * Math.max(...SECTION_TAGS.map(({ length }) => length));

/** Escapes a text so that it cannot end its section or begin another one. */
export function asData(text: string): string {
  return text
    .toWellFormed()
    .replace(OPENING, (opening, at: number, whole: string) =>
      beginsTag(whole, at + opening.length) ? "&lt;" : opening,
    );
}

/**
 * Whether one of our tags follows, as a person or a model would read it: without what is not drawn, and in letters of any
 * script. It reads to the next character that cannot be a part of a tag, which another opening is, so escaping takes
 * linear time.
 */
function beginsTag(text: string, from: number): boolean {
  let name = "";
  let before: CharacterKind = "gap";
  for (let at = from; at < text.length && name.length <= LONGEST_NAME;) {
    const code = text.codePointAt(at) ?? 0;
    const kind: CharacterKind = ASCII[code] ?? kindOf(code);
    if (kind === "letter") name += String.fromCodePoint(code);
    else if (kind === "end" || (kind === "gap" && name !== "")) break;
    // A reader may take what is not drawn for the end of the name, or for nothing.
    else if (kind === "hidden" && before === "letter" && isTagName(name)) return true;
    before = kind;
    at += code > 0xffff ? 2 : 1;
  }
  return isTagName(name);
}

function isTagName(name: string): boolean {
  return name !== "" && TAG_SKELETONS.has(lookAlikeSkeleton(name));
}

/** What a character is in a tag: a part of its name, something that is not drawn, a gap before the name, or its end. */
type CharacterKind = "letter" | "hidden" | "gap" | "end";

function kindOf(code: number): CharacterKind {
  const character = String.fromCodePoint(code);
  if (BRACKET_LETTER.test(character)) return "end";
  if (INVISIBLE.test(character)) return "hidden";
  // Compatibility letters, such as circled ones, are no letters before they are normalized.
  if (LETTER.test(character.normalize("NFKD"))) return "letter";
  return SLASH.test(character) || /\s/u.test(character) ? "gap" : "end";
}

/** Nearly all characters after a `<` are among these. */
const ASCII: readonly CharacterKind[] = Array.from({ length: 128 }, (_, code) => kindOf(code));

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
  return framed(tag, attributesText(attributes), body);
}

export function attributesText(attributes: Attributes): string {
  let written = "";
  for (const [name, value] of Object.entries(attributes)) written += attribute(name, value);
  return written;
}

/** The same with attributes that are already written. */
export function framed(tag: SectionTag, written: string, body: string): string {
  return `<${tag}${written}>\n${body}\n</${tag}>`;
}

/** An attribute as it is written, with the space before it; nothing without a value. */
export function attribute(name: string, value: Attributes[string]): string {
  return value === null || value === undefined ? "" : ` ${name}="${attributeText(String(value))}"`;
}

/** Names, ids, numbers and times, which nearly all attributes are, need no escaping. */
const PLAIN = /^[\w@:.+-]*$/;

function attributeText(value: string): string {
  if (PLAIN.test(value)) return value;
  const line = value.replace(/[\s\p{Cc}]+/gu, " ").replace(/&/g, "&amp;");
  return asData(line).replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
