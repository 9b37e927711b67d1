/**
 * The rules of mentions once more, for comparison: whole-text replacements, as slow as they like, sharing nothing with
 * the product. Code and escapes are blanked out first; one lookaround expression then does the rest.
 */
const BLANK = "\u2588";

export function naiveMentions(text: string): { name: string; start: number }[] {
  const prose = blankSpans(blankFences(text));
  const found: { name: string; start: number }[] = [];
  const mention =
    /(?<![\p{L}\p{M}\p{N}\p{Pc}@])@([a-zA-Z][a-zA-Z0-9_-]{0,63})(?![a-zA-Z0-9_@-]|[\p{L}\p{M}\p{N}\p{Pc}]|\.[\p{L}\p{M}\p{N}\p{Pc}])/gu;
  for (const match of prose.matchAll(mention)) {
    const name = match[1] ?? "";
    if (!found.some((each) => each.name === name)) found.push({ name, start: match.index });
  }
  return found;
}

const blank = (text: string): string => text.replace(/[^\n]/g, BLANK);
const columns = (text: string): number => text.replaceAll("\t", "    ").length;

/** Fences become blocks surrounded by blank lines, so that no span crosses them; length is kept. */
function blankFences(text: string): string {
  const lines = text.split("\n");
  const result: string[] = [];
  let open: { marker: string; column: number; quoted: boolean } | null = null;
  for (const line of lines) {
    const bare = line.trimEnd();
    if (open?.quoted === true && !/^[ \t]*>/.test(bare)) open = null;
    if (open === null) {
      const opening = /^((?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*)(`{3,}(?=[^`]*$)|~{3,})/.exec(bare);
      const [, prefix = "", marker = ""] = opening ?? [];
      if (opening !== null) open = { marker, column: columns(prefix), quoted: prefix.includes(">") };
      result.push(opening === null ? line : fenced(line));
    } else {
      const [closing, prefix = "", marker = ""] = /^([ \t>]*)(`+|~+)$/.exec(bare) ?? [];
      const closes: boolean =
        closing !== undefined &&
        prefix.includes(">") === open.quoted &&
        columns(prefix) <= open.column + 3 &&
        marker.startsWith(open.marker);
      if (closes) open = null;
      result.push(fenced(line));
    }
  }
  return result.join("\n");
}

/** Whitespace of the same length: a blank line ends a paragraph, as a fence does. */
const fenced = (line: string): string => " ".repeat(line.length);

function blankSpans(text: string): string {
  return text
    .split(/(\n[^\S\n]*(?=\n))/)
    .map((paragraph) => {
      let rest = paragraph;
      let done = "";
      while (rest !== "") {
        const escape = /^\\[!-/:-@[-`{-~]/.exec(rest);
        const ticks = /^`+/.exec(rest);
        const span = /^(`+)(?!`)[^]*?(?<!`)\1(?!`)/.exec(rest);
        // An escaped @ calls nobody, but still joins what stands beside it, as a connector does.
        if (escape !== null) done += escape[0].replace("@", "\u203f").replace("`", BLANK);
        else if (span !== null) done += blank(span[0]);
        else if (ticks !== null) done += blank(ticks[0]);
        else done += rest[0];
        rest = rest.slice((escape ?? span ?? ticks)?.[0].length ?? 1);
      }
      return done;
    })
    .join("");
}
