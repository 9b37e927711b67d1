import { isAlias, isMap, isPair, isScalar, isSeq } from "yaml";
import type { Document, Node, ParsedNode } from "yaml";
import { quoted } from "./excerpt.ts";

/**
 * Converts a composed YAML document to a plain value, with the offset of every key and value. The conversion restricts
 * YAML: keys are text and unique and cannot reach an object's prototype, there are no merge keys, and aliases expand to
 * a bounded size.
 */
const MAX_NODES = 15_000;
const MAX_DEPTH = 200;
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export interface YamlNode {
  readonly value: unknown;
  readonly offset: number;
  readonly children: ReadonlyMap<string | number, { readonly keyOffset: number; readonly node: YamlNode }>;
}

export interface TreeFault {
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}

export function toTree(document: Document.Parsed): { root: YamlNode; faults: readonly TreeFault[] } {
  const faults: TreeFault[] = [];
  const openAliases = new Set<Node>();
  const resolved = new Map<Node, Node | undefined>();
  let nodes = 0;
  let exhausted = false;
  let expanding: number | undefined;

  const convert = (node: ParsedNode | Node | null | undefined, fallback: number, depth: number): YamlNode => {
    const offset = node?.range?.[0] ?? fallback;
    nodes += 1;
    if (nodes > MAX_NODES || depth > MAX_DEPTH) {
      if (!exhausted) faults.push({ offset: expanding ?? offset, message: "This alias expands to too much." });
      exhausted = true;
    }
    if (exhausted || node === null || node === undefined) return leaf(null, offset);
    if (isAlias(node)) return followAlias(node, offset, depth);
    if (isMap(node)) return convertMap(node.items, offset, depth);
    if (isSeq(node)) {
      const children = new Map<string | number, { keyOffset: number; node: YamlNode }>();
      const value: unknown[] = [];
      for (const [index, item] of node.items.entries()) {
        const child = convert(item as Node, offset, depth + 1);
        children.set(index, { keyOffset: child.offset, node: child });
        value.push(child.value);
      }
      return { value, offset, children };
    }
    const value = isScalar(node) ? node.value : null;
    if (typeof value === "string" && value.includes("\0"))
      faults.push({ offset, message: "The text holds a NUL character." });
    return leaf(value, offset);
  };

  const followAlias = (node: Node & { source: string }, offset: number, depth: number): YamlNode => {
    if (!resolved.has(node)) resolved.set(node, isAlias(node) ? node.resolve(document) : undefined);
    const target = resolved.get(node);
    if (target === undefined) {
      faults.push({ offset, message: `The alias ${quoted(`*${node.source}`)} has no anchor before it.` });
      return leaf(null, offset);
    }
    if (openAliases.has(target)) {
      faults.push({ offset, message: `The alias ${quoted(`*${node.source}`)} refers to the value it is part of.` });
      return leaf(null, offset);
    }
    if (openAliases.size === 0) expanding = offset;
    openAliases.add(target);
    const converted = convert(target, offset, depth + 1);
    openAliases.delete(target);
    if (openAliases.size === 0) expanding = undefined;
    return converted;
  };

  const convertMap = (items: readonly unknown[], offset: number, depth: number): YamlNode => {
    const children = new Map<string | number, { keyOffset: number; node: YamlNode }>();
    const value: Record<string, unknown> = {};
    for (const pair of items) {
      if (!isPair(pair)) continue;
      const keyNode = pair.key as Node | null;
      const keyOffset = keyNode?.range?.[0] ?? offset;
      const key = keyText(keyNode);
      const fault = key === undefined ? { message: "A key must be plain text." } : keyFault(key, children.has(key));
      if (fault !== undefined) faults.push({ offset: keyOffset, ...fault });
      if (key === undefined || fault !== undefined) continue;
      const child = convert(pair.value as Node | null, keyOffset, depth + 1);
      children.set(key, { keyOffset, node: child });
      value[key] = child.value;
    }
    return { value, offset, children };
  };

  const root = convert(document.contents, 0, 0);
  return { root, faults };
}

const NONE: YamlNode["children"] = new Map();

function leaf(value: unknown, offset: number): YamlNode {
  return { value, offset, children: NONE };
}

function keyText(node: Node | null): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  return typeof node.value === "string" ? node.value : node.source;
}

function keyFault(key: string, seen: boolean): { message: string; hint?: string } | undefined {
  if (key === "<<") return { message: "Merge keys (<<) are not supported.", hint: "Write the values out." };
  if (FORBIDDEN_KEYS.has(key)) return { message: `The key ${quoted(key)} is not allowed.` };
  if (seen) return { message: `The key ${quoted(key)} is written twice.`, hint: "Keep one of the two." };
  return undefined;
}
