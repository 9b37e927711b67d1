/**
 * Parses a shell command as far as needed to tell which simple commands it runs: `git status; rm -rf .` is two. What
 * cannot be parsed with certainty (substitutions, variables, redirections, compound commands, odd quoting) makes the
 * whole command `opaque`.
 */
export interface ReadCommand {
  /** Words of each simple command, unquoted, in order. For an opaque command: as far as they could be parsed. */
  readonly commands: readonly (readonly string[])[];
  readonly opaque: boolean;
}

/** Redirections that touch no file. */
const HARMLESS_REDIRECTION = /(?<=\s)(?:\d?>&[12]|[12&]?>>?\s*\/dev\/null)(?=[\s;&|]|$)/g;
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  "if then else elif fi for while until do done case esac select function coproc ! [[".split(" "),
);

export function readCommand(text: string): ReadCommand {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | null = null;
  let opaque = false;
  const endWord = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };

  const source = text.replaceAll(HARMLESS_REDIRECTION, "");
  for (let i = 0; i < source.length; i += 1) {
    const char = source[i] ?? "";
    if (char === "'") {
      const end = source.indexOf("'", i + 1);
      if (end === -1) opaque = true;
      const stop = end === -1 ? source.length : end;
      word = (word ?? "") + source.slice(i + 1, stop);
      i = stop;
    } else if (char === '"') {
      const quoted = readDoubleQuoted(source, i + 1);
      opaque ||= quoted.opaque;
      word = (word ?? "") + quoted.text;
      i = quoted.end;
    } else if (char === "\\") {
      if (i + 1 >= source.length) opaque = true;
      else if (source[i + 1] !== "\n") word = (word ?? "") + (source[i + 1] ?? "");
      i += 1;
    } else if (char === ";" || char === "&" || char === "|" || char === "\n" || char === "\r") {
      endCommand();
    } else if ("$`(){}<>".includes(char)) {
      opaque = true;
      if (char !== "$" && char !== "{" && char !== "}") endCommand();
      else word = (word ?? "") + char;
    } else if (char === "#" && word === null) {
      const end = source.indexOf("\n", i);
      i = end === -1 ? source.length : end - 1;
    } else if (char === " " || char === "\t") {
      endWord();
    } else {
      word = (word ?? "") + char;
    }
  }
  endCommand();
  // A control character is invisible to people and not to the shell.
  if (/(?![\t\n])\p{Cc}/u.test(text)) opaque = true;
  return { commands, opaque: opaque || commands.some(([first = ""]) => RESERVED_WORDS.has(first)) };
}

function readDoubleQuoted(source: string, from: number): { text: string; end: number; opaque: boolean } {
  let text = "";
  let opaque = false;
  for (let i = from; i < source.length; i += 1) {
    const char = source[i] ?? "";
    if (char === '"') return { text, end: i, opaque };
    if (char === "$" || char === "`") opaque = true;
    if (char === "\\" && '"\\$`\n'.includes(source[i + 1] ?? "x")) {
      i += 1;
      text += source[i] === "\n" ? "" : (source[i] ?? "");
    } else {
      text += char;
    }
  }
  return { text, end: source.length, opaque: true };
}

/** Returns a simple command as one line: words separated by one space, quoted unless they are plain. */
export function commandText(words: readonly string[]): string {
  return words.map((word) => (/^[^\s'"]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
