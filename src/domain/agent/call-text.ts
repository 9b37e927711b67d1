/**
 * A tool call as text for the person who approves it. The text must not be misleading: characters that break lines,
 * change the direction of writing or are invisible are escaped, and a cut is marked.
 */
const MAX_ARGS = 16 * 1024;
const MAX_LINE = 400;

/** Returns the arguments as one line of JSON. */
export function argsText(args: unknown, redact: (text: string) => string): string {
  const json = JSON.stringify(args) ?? "";
  return shorten(spellOut(redact(json)), MAX_ARGS);
}

/** Returns `bash: "npm test"`: the argument of a call with one argument, otherwise all arguments. */
export function callLine(tool: string, args: unknown, redact: (text: string) => string): string {
  const values = typeof args === "object" && args !== null ? Object.values(args) : [];
  const shown = values.length === 1 ? values[0] : args;
  return `${spellOut(tool)}: ${shorten(argsText(shown, redact), MAX_LINE)}`;
}

function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, Math.floor(limit * 0.75)).toWellFormed();
  const tail = text.slice(-Math.floor(limit * 0.25)).toWellFormed();
  return `${head} [... ${text.length - limit} characters not shown ...] ${tail}`;
}

function spellOut(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}
