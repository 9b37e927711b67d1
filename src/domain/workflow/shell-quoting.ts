/**
 * Tracks the quoting of a POSIX shell command, to decide how a variable must be written at a place so that it stays one
 * word. Where that is not certain (`hard`), the caller refuses. A wrong result could split a word but never execute one,
 * because the inserted text is always a balanced reference to a variable.
 */
export type QuotingPlace = "bare" | "double" | "single" | "hard";

/** `(` is a subshell or a command substitution, which starts bare again even inside double quotes. */
type Level = "bare" | "(" | "double" | "single" | "comment" | "backtick" | "braces" | "arithmetic";

export interface Quoting {
  readonly levels: readonly Level[];
  /** The last character, if it can change the meaning of the next one. */
  readonly last: string;
  /** The quoting is unknown from here on: a here-document, or a quote that shells interpret differently. */
  readonly lost: boolean;
}

export const START_OF_COMMAND: Quoting = { levels: ["bare"], last: " ", lost: false };

const HARD_LEVELS: readonly Level[] = ["backtick", "braces", "arithmetic"];

export function quotingPlace({ levels, last, lost }: Quoting): QuotingPlace {
  if (lost || last === "\\" || levels.some((level) => HARD_LEVELS.includes(level))) return "hard";
  const level = levels.at(-1);
  return level === "double" || level === "single" ? level : "bare";
}

export function quotingAfter(before: Quoting, text: string): Quoting {
  const levels = [...before.levels];
  let { last, lost } = before;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? "";
    const level = levels.at(-1) ?? "bare";
    const previous = last;
    last = char;
    if (level === "single") {
      if (char === "'") levels.pop();
      if (char === "\\") last = "";
    } else if (level === "comment") {
      if (char === "\n") levels.pop();
      if (char === "\\") last = "";
    } else if (char === "\\") {
      if (i + 1 < text.length) last = "";
      i += 1;
    } else if (char === "`") {
      if (level === "backtick") levels.pop();
      else levels.push("backtick");
    } else if (char === '"') {
      if (level === "double") levels.pop();
      else levels.push("double");
    } else if (char === "$" && text.startsWith("((", i + 1)) {
      levels.push("arithmetic");
      i += 2;
    } else if (char === "$" && text[i + 1] === "(") {
      levels.push("(");
      i += 1;
      last = " ";
    } else if (char === "$" && text[i + 1] === "{") {
      levels.push("braces");
      i += 1;
    } else if (level === "braces") {
      if (char === "}") levels.pop();
    } else if (level === "arithmetic") {
      if (char === ")" && text[i + 1] === ")") {
        levels.pop();
        i += 1;
      }
    } else if (level === "bare" || level === "(") {
      if (char === "'") {
        levels.push("single");
        if (previous === "$") lost = true;
      } else if (char === "#" && /[\s;&|()]/.test(previous)) levels.push("comment");
      else if (char === "<" && text[i + 1] === "<") lost = true;
      else if (char === "(") levels.push("(");
      else if (char === ")" && level === "(") levels.pop();
    }
  }
  return { levels, last, lost };
}
