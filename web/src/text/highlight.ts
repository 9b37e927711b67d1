/** A part of a program text and what it is. */
export interface CodePart {
  readonly kind: "text" | "comment" | "string" | "number" | "word";
  readonly text: string;
}

/**
 * Colours for program text. One small tokenizer for all languages: comments, strings, numbers and the words that most
 * languages share. What it does not know stays plain.
 */
export function highlight(text: string, language: string): readonly CodePart[] {
  if (PLAIN.has(language) || text.length > MAX_CHARS) return [{ kind: "text", text }];
  const parts: CodePart[] = [];
  let at = 0;
  for (const found of text.matchAll(patternOf(language))) {
    const kind = kindOf(found.groups ?? {});
    if (kind === undefined) continue;
    if (found.index > at) parts.push({ kind: "text", text: text.slice(at, found.index) });
    parts.push({ kind, text: found[0] });
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}

const MAX_CHARS = 50_000;
const PLAIN: ReadonlySet<string> = new Set(["", "text", "txt", "plain", "plaintext", "output", "console"]);
/** Languages in which `#` begins a comment, or `--`. */
const HASH: ReadonlySet<string> = new Set(
  "py python rb ruby sh bash shell zsh yaml yml toml make makefile dockerfile perl r ini conf elixir".split(" "),
);
const DASHES: ReadonlySet<string> = new Set(["sql", "lua", "haskell", "hs", "elm"]);

const WORDS =
  "abstract and as assert async await begin bool boolean break case catch char class const continue def default defer del delete do double elif else end enum export extends extern false final finally float fn for foreach from func function global goto if implements import in include instanceof int interface is lambda let long loop match module mut namespace new nil none not null of or override package pass private protected pub public raise readonly ref return self short sizeof static string struct super switch then this throw throws trait true try type typeof undefined union unless unsafe until use using var virtual void when where while with yield " +
  "select insert update from join group order by into values create table alter drop primary key";
const KNOWN = new Set(WORDS.split(" "));

function patternOf(language: string): RegExp {
  const line = HASH.has(language)
    ? "#[^\\n]*"
    : DASHES.has(language)
      ? "--[^\\n]*"
      : "//[^\\n]*|/\\*[^]*?(?:\\*/|$)|<!--[^]*?(?:-->|$)";
  const strings = "\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n])*'?|`(?:\\\\.|[^`\\\\])*`?";
  return new RegExp(
    `(?<comment>${line})|(?<string>${strings})|(?<number>\\b\\d[\\w.]*)|(?<word>[A-Za-z_$][\\w$]*)`,
    "g",
  );
}

function kindOf(groups: Readonly<Record<string, string | undefined>>): CodePart["kind"] | undefined {
  if (groups["comment"] !== undefined) return "comment";
  if (groups["string"] !== undefined) return "string";
  if (groups["number"] !== undefined) return "number";
  return KNOWN.has((groups["word"] ?? "").toLowerCase()) ? "word" : undefined;
}
