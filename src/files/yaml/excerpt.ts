/**
 * The part of a source line that is shown with a problem, in terminals, logs and web pages. Secrets are always masked,
 * and characters that would move or hide text are escaped.
 */
const MAX_LENGTH = 200;

const SECRET_VALUE =
  /((?:api[_-]?key|token|secret|password|passwd|credentials?|authorization)["']?\s*[:=]\s*["']?)(?![\s"']*\$)[^\s"'].*$/iu;
const SECRET_SHAPE = /\b(sk-|gh[opusr]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza)[\w-]{6,}/gu;

export function excerpt(line: string): string {
  const shown = visible(maskSecrets(line.replace(/\r$/u, "")));
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH - 1)}…` : shown;
}

function maskSecrets(text: string): string {
  return text.replace(SECRET_VALUE, "$1***").replace(SECRET_SHAPE, "$1***");
}

/** Returns a value in quotes for a message: shortened, on one line, secrets masked. */
export function quoted(value: unknown): string {
  const text = typeof value === "string" ? value : String(JSON.stringify(value));
  const short = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return `"${visible(maskSecrets(short)).replaceAll("\n", "\\n")}"`;
}

/** Control and format characters (among them the ones that reorder text) become `\u{…}`; tabs and newlines stay. */
function visible(text: string): string {
  return text.replace(/(?![\t\n])[\p{Cc}\p{Cf}]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}
