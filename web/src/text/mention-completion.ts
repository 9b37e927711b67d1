/** Completing `@na` to `@name` while a message is written. */
export interface Completion {
  /** Where the `@` stands. */
  readonly from: number;
  readonly names: readonly string[];
}

const MOST = 8;

/** What could be meant before the caret; undefined when no mention is being written there. */
export function completionAt(text: string, caret: number, names: readonly string[]): Completion | undefined {
  const begun = /(?<![\w@.-])@([A-Za-z][\w-]*)?$/.exec(text.slice(0, caret));
  if (begun === null) return undefined;
  const typed = (begun[1] ?? "").toLowerCase();
  const fitting = names.filter((name) => name.toLowerCase().startsWith(typed));
  const within = names.filter((name) => !fitting.includes(name) && name.toLowerCase().includes(typed));
  const found = [...fitting, ...within].slice(0, MOST);
  return found.length === 0 ? undefined : { from: begun.index, names: found };
}

export interface Edited {
  readonly text: string;
  readonly caret: number;
}

export function complete(text: string, caret: number, { from }: Completion, name: string): Edited {
  const rest = text.slice(caret);
  const written = `@${name}${/^\s/.test(rest) ? "" : " "}`;
  return { text: text.slice(0, from) + written + rest, caret: from + written.length };
}
