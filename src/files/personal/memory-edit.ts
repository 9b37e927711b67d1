import { isDeepStrictEqual } from "node:util";
import { isNode, stringify } from "yaml";
import type { Pair } from "yaml";
import { parseMemoryFile, valueOf } from "./memory-file.ts";
import type { MemoryFile } from "./memory-file.ts";

/**
 * Changes one entry in the text of a memory file and keeps every other byte. A change is accepted only if parsing it
 * gives exactly the expected entries. Where splicing text cannot do that (for example in a file in flow style), the YAML
 * library writes the whole file again, with its comments.
 */

/** Returns the text with `key` set to `value`, a plain value or a record; null when other entries prevent it. */
export function putEntry(before: MemoryFile, key: string, value: unknown): string | null {
  const { text } = before;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const line = stringify({ [key]: value }, { lineWidth: 0, aliasDuplicateObjects: false }).replaceAll("\n", eol);
  const pair = before.pairs.get(key);
  if (pair === undefined) {
    const gap = text === "" || text.endsWith("\n") ? "" : eol;
    return verified(before, `${text}${gap}${line}`, key, value);
  }
  const [start, end] = extent(pair, "value");
  const replacement = text.slice(start, end).endsWith("\n") ? line : line.slice(0, -eol.length);
  return verified(before, text.slice(0, start) + replacement + text.slice(end), key, value);
}

/** Returns the text without `key`; comments above it stay. Null when other entries refer to it. */
export function cutEntry(before: MemoryFile, key: string): string | null {
  const pair = before.pairs.get(key);
  if (pair === undefined) return before.text;
  const [start, end] = extent(pair, "line");
  return verified(before, before.text.slice(0, start) + before.text.slice(end), key, undefined);
}

function verified(before: MemoryFile, spliced: string, key: string, value: unknown): string | null {
  const expected = valuesOf(before);
  if (value === undefined) expected.delete(key);
  else expected.set(key, value);
  const isExpected = (text: string): boolean => {
    const after = parseMemoryFile(before.file, text);
    return after.document !== undefined && isDeepStrictEqual(valuesOf(after), expected);
  };
  if (isExpected(spliced)) return spliced;
  const rewritten = rewrite(before, key, value);
  return rewritten !== null && isExpected(rewritten) ? rewritten : null;
}

function valuesOf({ pairs, document }: MemoryFile): Map<string, unknown> {
  const values = new Map<string, unknown>();
  if (document !== undefined) for (const [key, pair] of pairs) values.set(key, valueOf(pair, document));
  return values;
}

function rewrite({ file, text }: MemoryFile, key: string, value: unknown): string | null {
  const { document, pairs } = parseMemoryFile(file, text);
  if (document === undefined) return null;
  const name = pairs.get(key)?.key ?? key;
  if (value === undefined) document.delete(name);
  else document.set(name, document.createNode(value, { aliasDuplicateObjects: false }));
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
