import { span, type Line, type Span } from "../../screen/span.ts";

/** Words that most languages use for their structure. */
const KEYWORDS =
  "abstract|and|as|async|await|break|case|catch|class|const|continue|def|default|delete|do|elif|else|enum|except|export|extends|false|finally|fn|for|from|func|function|if|impl|implements|import|in|interface|is|let|match|mod|mut|new|nil|none|None|not|null|or|package|pass|pub|raise|return|self|static|struct|super|switch|this|throw|true|True|False|try|type|undefined|use|var|void|while|with|yield";
const TOKENS = new RegExp(
  [
    String.raw`(?<comment>\/\/.*|#(?![[!]).*|\/\*.*?(?:\*\/|$)|^\s*--\s.*)`,
    String.raw`(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`(?:[^`\\\\]|\\\\.)*`)",
    String.raw`(?<keyword>\b(?:${KEYWORDS})\b)`,
    String.raw`(?<number>\b\d[\w.]*\b)`,
  ].join("|"),
  "gu",
);
const DIFF_LANGUAGES: ReadonlySet<string> = new Set(["diff", "patch", "udiff"]);
const TEXT_LANGUAGES: ReadonlySet<string> = new Set(["text", "txt", "plain", "markdown", "md", ""]);

/** Returns a line of code in colours. They come from its words alone, whatever its language is. */
export function codeSpans(text: string, language: string): Line {
  if (DIFF_LANGUAGES.has(language)) return [span(text, diffStyle(text))];
  if (TEXT_LANGUAGES.has(language)) return [span(text, "code")];
  const spans: Span[] = [];
  let end = 0;
  for (const found of text.matchAll(TOKENS)) {
    if (found.index > end) spans.push(span(text.slice(end, found.index)));
    const { comment, string, keyword } = found.groups ?? {};
    const style =
      comment !== undefined ? "dim" : string !== undefined ? "string" : keyword === undefined ? "code" : "keyword";
    spans.push(span(found[0], style));
    end = found.index + found[0].length;
  }
  if (end < text.length || spans.length === 0) spans.push(span(text.slice(end)));
  return spans;
}

function diffStyle(text: string): Span["style"] {
  if (/^(\+\+\+|---|diff |index )/.test(text)) return "bold";
  if (text.startsWith("@@")) return "code";
  if (text.startsWith("+")) return "good";
  return text.startsWith("-") ? "bad" : "dim";
}
