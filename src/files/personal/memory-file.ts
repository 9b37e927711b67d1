import { isMap, isNode, isScalar } from "yaml";
import type { Document, Pair } from "yaml";
import { PERSON } from "../../domain/message/message.ts";
import { MEMORY_TIERS, VISIBILITIES } from "../../ports/personal-context.ts";
import type {
  MemoryEntry,
  MemoryOrigin,
  MemoryProblem,
  MemoryTier,
  MemoryValue,
} from "../../ports/personal-context.ts";
import { parseBoundedYaml } from "../yaml/bounded-yaml.ts";

/**
 * A YAML file of memory, parsed. People write `key: value`; the product writes records
 * (`key: {value, tier, visibility, source, ...}`). A bad entry becomes a problem with its line and does not affect the
 * others. A syntax error makes the whole file unusable: it is neither read nor written.
 */
export interface MemoryFile {
  readonly file: string;
  readonly text: string;
  readonly entries: readonly MemoryEntry[];
  readonly problems: readonly MemoryProblem[];
  /** Keys with a plain value, not a record. */
  readonly plainKeys: ReadonlySet<string>;
  /** The nodes of the YAML library by key, also for entries with a problem. */
  readonly pairs: ReadonlyMap<string, Pair>;
  /** Undefined: the file is unusable and must not be changed. */
  readonly document: Document | undefined;
}

/** What is remembered of a file between two reads. */
export interface ParsedText extends Pick<MemoryFile, "text" | "entries" | "problems"> {
  /** Every key of the file, also of entries with a problem. */
  readonly keys: ReadonlySet<string>;
  /** A line at the end of the text is a new entry and changes nothing else. */
  readonly appendable: boolean;
}

const RECORD_FIELDS = [
  "value",
  "tier",
  "visibility",
  "source",
  "origin",
  "created",
  "updated",
  "id",
  "replaces",
  "valid_until",
  "replaced_by",
];
export const MAX_DEPTH = 32;
const MAX_ALIASES = 100;

export function parseMemoryFile(file: string, text: string): MemoryFile {
  const nothing = { file, text, entries: [], plainKeys: new Set<string>(), pairs: new Map<string, Pair>() };
  const unusable = (message: string, line: number): MemoryFile => ({
    ...nothing,
    problems: [{ file, line, message }],
    document: undefined,
  });
  const yaml = parseBoundedYaml(text);
  if (yaml.document === undefined) return unusable(yaml.message, yaml.line);
  const { document, lineOf } = yaml;
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    return { ...nothing, problems: [], document };
  }
  if (!isMap(document.contents)) return unusable("is not a list of `key: value` entries", 1);

  const entries: MemoryEntry[] = [];
  const problems: MemoryProblem[] = [];
  const plainKeys = new Set<string>();
  const pairs = new Map<string, Pair>();
  for (const pair of document.contents.items) {
    const line = isNode(pair.key) && pair.key.range ? lineOf(pair.key.range[0]) : null;
    const problem = (message: string): unknown => problems.push({ file, line, message });
    const key = keyText(pair);
    if (key === undefined) {
      problem("has a key that is not plain text");
      continue;
    }
    pairs.set(key, pair);
    const value = valueOf(pair, document);
    if (value === undefined) {
      problem(`the value of "${key}" is nested too deeply or repeats itself without end`);
      continue;
    }
    if (!isRecord(value)) plainKeys.add(key);
    entries.push(toEntry(file, key, value, problem));
  }
  return { file, text, entries, problems, plainKeys, pairs, document };
}

export function parseText(file: string, text: string): ParsedText {
  const { entries, problems, pairs, document } = parseMemoryFile(file, text);
  const map = document?.contents ?? null;
  const [first] = pairs.values();
  const start = first !== undefined && isNode(first.key) ? (first.key.range?.[0] ?? 0) : 0;
  const inBlock = map === null ? text.trim() === "" : isMap(map) && map.flow !== true;
  const atLineStart = start === 0 || text[start - 1] === "\n";
  const appendable = inBlock && atLineStart && !/^(?:---|\.\.\.|\?)/mu.test(text) && document !== undefined;
  return { text, entries, problems, keys: new Set(pairs.keys()), appendable };
}

function toEntry(file: string, key: string, value: MemoryValue, problem: (message: string) => void): MemoryEntry {
  const fileTier: MemoryTier = file === "core.yaml" ? "core" : file === "archive.yaml" ? "archive" : "working";
  const plain: MemoryEntry = {
    key,
    value,
    tier: fileTier,
    visibility: "private",
    source: PERSON,
    origin: null,
    created: null,
    updated: null,
    id: null,
    file,
  };
  if (!isRecord(value)) return plain;
  const choose = <T extends string>(field: string, allowed: readonly T[], otherwise: T): T => {
    const written = value[field];
    const valid = allowed.find((name) => name === written);
    if (written !== undefined && valid === undefined) {
      problem(`"${key}" has an unknown ${field}; it is one of ${allowed.join(", ")}, and ${otherwise} is assumed`);
    }
    return valid ?? otherwise;
  };
  return {
    ...plain,
    value: value["value"] ?? null,
    tier: choose("tier", MEMORY_TIERS, fileTier),
    visibility: choose("visibility", VISIBILITIES, "private"),
    source: textOr(value["source"], PERSON),
    origin: originOf(value["origin"]),
    created: textOr(value["created"], null),
    updated: textOr(value["updated"], null),
    id: textOr(value["id"], null),
    ...optionalText("replaces", value["replaces"]),
    ...optionalText("validUntil", value["valid_until"]),
    ...optionalText("replacedBy", value["replaced_by"]),
  };
}

function optionalText<Field extends string>(field: Field, value: MemoryValue | undefined): { [F in Field]?: string } {
  return typeof value === "string" ? ({ [field]: value } as { [F in Field]?: string }) : {};
}

/** `{value: 1}` alone, or with a field that records do not have, is a plain value. */
export function isRecord(value: MemoryValue): value is { readonly [key: string]: MemoryValue } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const fields = Object.keys(value);
  return fields.length > 1 && fields.includes("value") && fields.every((field) => RECORD_FIELDS.includes(field));
}

/** Null unless all required fields are present and valid. */
export function originOf(value: MemoryValue | undefined): MemoryOrigin | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { by, run = null, space, heard = [], outside } = value as { readonly [field: string]: MemoryValue };
  if (typeof by !== "string" || typeof space !== "string" || typeof outside !== "boolean") return null;
  const names = Array.isArray(heard) ? heard.filter((name) => typeof name === "string") : [];
  return { by, run: textOr(run, null), space, heard: names, outside };
}

function textOr<T>(value: MemoryValue | undefined, otherwise: T): string | T {
  return typeof value === "string" ? value : otherwise;
}

function keyText(pair: Pair): string | undefined {
  if (typeof pair.key === "string") return pair.key;
  if (!isScalar(pair.key)) return undefined;
  return typeof pair.key.value === "string" ? pair.key.value : (pair.key.source ?? String(pair.key.value));
}

/** Returns the value of an entry as data; undefined when that is not possible. */
export function valueOf(pair: Pair, document: Document): MemoryValue | undefined {
  if (!isNode(pair.value)) return null;
  try {
    return toMemoryValue(pair.value.toJS(document, { maxAliasCount: MAX_ALIASES }), MAX_DEPTH);
  } catch {
    return undefined;
  }
}

/** Undefined when the value is not data, or nested deeper than `depth`, as a value that contains itself is. */
export function toMemoryValue(value: unknown, depth: number): MemoryValue | undefined {
  if (depth === 0) return undefined;
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => toMemoryValue(item, depth - 1));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (typeof value !== "object") return undefined;
  const fields = Object.entries(value).map(([key, field]) => [key, toMemoryValue(field, depth - 1)] as const);
  return fields.some(([, field]) => field === undefined) ? undefined : (Object.fromEntries(fields) as MemoryValue);
}
