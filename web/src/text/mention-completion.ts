/** Completes `@na` to `@name` while a message is written. */
export interface Completion {
  /** Index of the `@`. */
  readonly from: number;
  readonly names: readonly string[];
}

const MAX_NAMES = 8;

/** Returns the possible names at the caret; undefined when no mention is being written there. */
export function completionAt(text: string, caret: number, names: readonly string[]): Completion | undefined {
  const mention = /(?<![\w@.-])@([A-Za-z][\w-]*)?$/.exec(text.slice(0, caret));
  if (mention === null) return undefined;
  const typed = (mention[1] ?? "").toLowerCase();
  const starting = names.filter((name) => name.toLowerCase().startsWith(typed));
  const containing = names.filter((name) => !starting.includes(name) && name.toLowerCase().includes(typed));
  const found = [...starting, ...containing].slice(0, MAX_NAMES);
  return found.length === 0 ? undefined : { from: mention.index, names: found };
}

export interface Edited {
  readonly text: string;
  readonly caret: number;
}

export function complete(text: string, caret: number, { from }: Completion, name: string): Edited {
  const rest = text.slice(caret);
  const inserted = `@${name}${/^\s/.test(rest) ? "" : " "}`;
  return { text: text.slice(0, from) + inserted + rest, caret: from + inserted.length };
}
