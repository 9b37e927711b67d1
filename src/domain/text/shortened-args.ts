/** In place of the lines of a text that are not stored. Whoever counts lines counts these, too. */
const CUT_LINES = /^\[\.\.\. (\d+) more lines are not kept\]$/;

/** Returns how many lines a line of a stored text stands for: one, unless it says that more were left out. */
export function linesMeant(line: string): number {
  const cut = CUT_LINES.exec(line);
  return cut === null ? 1 : Number(cut[1]);
}

/**
 * Returns the arguments of a call, given as JSON, in at most so many characters. Long texts in them lose their end; the
 * rest is JSON as before, so that a call that was shortened is still shown as a command or a change.
 */
export function shortenedArgs(json: string, limit: number): string {
  if (json.length <= limit) return json;
  const args = parsed(json);
  for (let most = Math.floor(limit / 2); args !== undefined && most >= LEAST_TEXT; most = Math.floor(most / 2)) {
    const shorter = JSON.stringify(shortened(args, most));
    if (shorter.length <= limit) return shorter;
  }
  return `${json.slice(0, limit).toWellFormed()} [... the rest is not kept]`;
}

const LEAST_TEXT = 32;

function shortened(value: unknown, most: number): unknown {
  if (typeof value === "string") return value.length <= most ? value : cut(value, most);
  if (Array.isArray(value)) return value.map((each) => shortened(each, most));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each, most)]));
}

/** Cuts after a line where there is one, because half a line would be shown as a line. */
function cut(text: string, most: number): string {
  const beginning = text.slice(0, most).toWellFormed();
  const end = beginning.lastIndexOf("\n");
  if (end === -1) return `${beginning} [... the rest is not kept]`;
  const rest = text.slice(end + 1).replace(/\n$/, "");
  const left = rest.split("\n").reduce((sum, line) => sum + linesMeant(line), 0);
  return `${beginning.slice(0, end)}\n[... ${left} more lines are not kept]`;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
