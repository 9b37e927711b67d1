import { isDeepStrictEqual } from "node:util";
import { isNode, stringify } from "yaml";
import type { Pair } from "yaml";
import { parseMemoryFile, valueOf } from "./memory-file.ts";
import type { MemoryFile, ParsedText } from "./memory-file.ts";

/**
 * Changes entries in the text of a memory file and keeps every other byte. A change is accepted only if parsing it
 * gives exactly the expected entries. Where splicing text cannot do that (for example in a file in flow style), the YAML
 * library writes the whole file again, with its comments.
 */

/** Returns the text with these keys set to values, plain ones or records; null when other entries prevent it. */
export function putEntries(before: MemoryFile, values: ReadonlyMap<string, unknown>): string | null {
  let { text } = before;
  const eol = lineEnd(text);
  const placed = [...values].flatMap(([key, value]) => {
    const pair = before.pairs.get(key);
    return pair === undefined ? [] : [{ line: yamlLine(key, value, eol), extent: extent(pair, "value") }];
  });
  // From the end to the beginning: the places of earlier entries stay the same.
  for (const {
    line,
    extent: [start, end],
  } of placed.toSorted((a, b) => b.extent[0] - a.extent[0])) {
    const replacement = text.slice(start, end).endsWith("\n") ? line : line.slice(0, -eol.length);
    text = text.slice(0, start) + replacement + text.slice(end);
  }
  for (const [key, value] of values) {
    if (before.pairs.has(key)) continue;
    text = `${text}${text === "" || text.endsWith("\n") ? "" : eol}${yamlLine(key, value, eol)}`;
  }
  return verified(before, text, values);
}

/** As `putEntries` for one key. */
export function putEntry(before: MemoryFile, key: string, value: unknown): string | null {
  return putEntries(before, new Map([[key, value]]));
}

/** Returns the text without `key`; comments above it stay. Null when other entries refer to it. */
export function cutEntry(before: MemoryFile, key: string): string | null {
  const pair = before.pairs.get(key);
  if (pair === undefined) return before.text;
  const [start, end] = extent(pair, "line");
  return verified(before, before.text.slice(0, start) + before.text.slice(end), new Map([[key, undefined]]));
}

/**
 * Returns the file with a new entry at its end, without parsing the rest of it: that makes a file of any length as fast as
 * an empty one. Null where only parsing can tell whether the text stays valid.
 */
export function appendEntry(before: ParsedText, file: string, key: string, value: unknown): ParsedText | null {
  const { text } = before;
  if (!before.appendable || before.keys.has(key) || !(text === "" || text.endsWith("\n"))) return null;
  const line = yamlLine(key, value, lineEnd(text));
  const added = parseMemoryFile(file, line);
  const [entry] = added.entries;
  const [pair] = added.pairs.values();
  if (entry === undefined || pair === undefined || added.document === undefined || added.problems.length > 0)
    return null;
  if (!isDeepStrictEqual(valueOf(pair, added.document), value)) return null;
  return {
    ...before,
    text: text + line,
    entries: [...before.entries, entry],
    keys: new Set([...before.keys, key]),
  };
}

function lineEnd(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function yamlLine(key: string, value: unknown, eol: string): string {
  return stringify({ [key]: value }, { lineWidth: 0, aliasDuplicateObjects: false }).replaceAll("\n", eol);
}

/** An undefined value means that the entry is deleted. */
function verified(before: MemoryFile, spliced: string, values: ReadonlyMap<string, unknown>): string | null {
  const expected = valuesOf(before);
  for (const [key, value] of values) {
    if (value === undefined) expected.delete(key);
    else expected.set(key, value);
  }
  const isExpected = (text: string): boolean => {
    const after = parseMemoryFile(before.file, text);
    return after.document !== undefined && isDeepStrictEqual(valuesOf(after), expected);
  };
  if (isExpected(spliced)) return spliced;
  const rewritten = rewrite(before, values);
  return rewritten !== null && isExpected(rewritten) ? rewritten : null;
}

function valuesOf({ pairs, document }: MemoryFile): Map<string, unknown> {
  const values = new Map<string, unknown>();
  if (document !== undefined) for (const [key, pair] of pairs) values.set(key, valueOf(pair, document));
  return values;
}

function rewrite({ file, text }: MemoryFile, values: ReadonlyMap<string, unknown>): string | null {
  const { document, pairs } = parseMemoryFile(file, text);
  if (document === undefined) return null;
  for (const [key, value] of values) {
    const name = pairs.get(key)?.key ?? key;
    if (value === undefined) document.delete(name);
    else document.set(name, document.createNode(value, { aliasDuplicateObjects: false }));
  }
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    return null;
  }
}

/** Returns the range of an entry in the text: from its key to the end of its value, or of its line. */
function extent(pair: Pair, upTo: "value" | "line"): [number, number] {
  const start = isNode(pair.key) && pair.key.range ? pair.key.range[0] : 0;
  const range = isNode(pair.value) && pair.value.range ? pair.value.range : undefined;
  return [start, range === undefined ? start : upTo === "value" ? range[1] : range[2]];
}
