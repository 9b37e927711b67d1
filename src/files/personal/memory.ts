import { PERSON } from "../../domain/message/message.ts";
import type { Clock } from "../../kernel/clock.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import type {
  Memory,
  MemoryEntry,
  MemoryListing,
  MemoryMeta,
  MemoryProblem,
  MemoryValue,
} from "../../ports/personal-context.ts";
import type { Area, AreaFile, TextChange } from "./area.ts";
import { cutEntry, putEntry } from "./memory-edit.ts";
import { isRecord, MAX_DEPTH, parseMemoryFile, toMemoryValue } from "./memory-file.ts";
import type { MemoryFile } from "./memory-file.ts";

/**
 * The memory folder. Every `*.yaml` in it is read; new entries go to the agent's own files (`learned.yaml`, ...). These
 * stay small, because writing an entry reads and rewrites its whole file.
 */
const OWN_FILE = /^learned(?:-(\d+))?\.yaml$/;
const FULL_BYTES = 48 * 1024;
const MAX_FILE_BYTES = 512 * 1024;
const MAX_VALUE_BYTES = 32 * 1024;
const MAX_KEY_BYTES = 200;
const SETTLED_MS = 1000;

/** Returns the new text (null = impossible) and the changed or deleted entry. */
type EntryChange = (
  before: MemoryFile,
  existing: MemoryEntry | undefined,
) => Result<readonly [string | null, MemoryEntry], Refusal>;

type ParsedText = Pick<MemoryFile, "text" | "entries" | "problems">;

type Refused = { readonly ok: false; readonly error: Refusal };

export function createMemory(area: Area, clock: Clock, newId: () => string): Memory {
  /**
   * A cache, because memory is read for every prompt. Equal stamps mean an unchanged file only if the file did not change
   * just now: the clock of a file system is coarse. Until then the stamp is null and the text is read and compared.
   */
  const cache = new Map<string, { readonly parsed: ParsedText; readonly stamp: string | null }>();
  const fromCache = ({ name, stamp }: AreaFile): ParsedText | undefined => {
    const cached = cache.get(name);
    return cached?.stamp === stamp ? cached.parsed : undefined;
  };
  const parseAndCache = ({ name, stamp, changedMs }: AreaFile, text: string): ParsedText => {
    const cached = cache.get(name)?.parsed;
    const parsed = cached?.text === text ? cached : parseText(name, text);
    const settled = clock.now() - changedMs > SETTLED_MS;
    cache.set(name, { parsed, stamp: settled ? stamp : null });
    return parsed;
  };

  let last: { readonly parts: readonly ParsedText[]; readonly listing: MemoryListing } | undefined;
  const list = async (): Promise<MemoryListing> => {
    const files = area.files();
    if (!files.ok) return { entries: [], problems: [{ file: ".", line: null, message: files.error.message }] };
    const parts: ParsedText[] = [];
    const unread: MemoryProblem[] = [];
    for (const file of yamlFiles(files.value)) {
      const cached = fromCache(file);
      const text = cached === undefined ? await area.read(file.name, MAX_FILE_BYTES) : ok(cached.text);
      if (text.ok) parts.push(cached ?? parseAndCache(file, text.value));
      else if (text.error.code !== "not_found")
        unread.push({ file: file.name, line: null, message: text.error.message });
    }
    const same = last?.parts.length === parts.length && last.parts.every((part, index) => part === parts[index]);
    if (last !== undefined && same && unread.length === 0) return last.listing;
    const problems = [...parts.flatMap((part) => part.problems), ...unread];
    const listing = { entries: parts.flatMap((part) => part.entries), problems };
    last = unread.length === 0 ? { parts, listing } : undefined;
    return listing;
  };

  const find = async (keyOrId: string): Promise<MemoryEntry | undefined> => {
    const { entries } = await list();
    return entries.find((entry) => entry.id === keyOrId) ?? entries.find((entry) => entry.key === keyOrId);
  };

  const change = async (
    { file, key, effect }: { readonly file: string; readonly key: string; readonly effect?: MemoryMeta["effect"] },
    put: EntryChange,
  ): Promise<Result<MemoryEntry, Refusal>> => {
    const edit: TextChange<MemoryEntry> = (current) => {
      const before = parseMemoryFile(file, current ?? "");
      if (before.document === undefined) return refuseUnusable(file, before.problems);
      const changed = put(
        before,
        before.entries.find((entry) => entry.key === key),
      );
      if (!changed.ok) return changed;
      const [text, entry] = changed.value;
      return text === null ? refuseTangled(file, key) : ok({ text, value: entry });
    };
    return await area.edit(file, MAX_FILE_BYTES, edit, effect);
  };

  return {
    list,
    get: async (keyOrId) => {
      const entry = await find(keyOrId);
      return entry === undefined ? refuseUnknown(keyOrId) : ok(entry);
    },
    set: async (key, input, meta) => {
      const refused = checkKey(key) ?? checkValue(key, input);
      if (refused !== undefined) return refused;
      const value = asJson(input);
      const { entries } = await list();
      const file = entries.find((entry) => entry.key === key)?.file ?? fileForNewEntry(area);
      return await change({ file, key, effect: meta.effect }, (before, existing) => {
        const permitted = existing === undefined ? ok(null) : (meta.permit?.(existing) ?? ok(null));
        if (!permitted.ok) return permitted;
        if (existing !== undefined && before.plainKeys.has(key) && staysPlain(value, meta)) {
          return ok([putEntry(before, key, value), { ...existing, value }]);
        }
        const now = new Date(clock.now()).toISOString();
        const entry: MemoryEntry = {
          key,
          value,
          tier: meta.tier ?? existing?.tier ?? "working",
          visibility: meta.visibility ?? existing?.visibility ?? "private",
          ...sharedNames(meta.sharedWith ?? existing?.sharedWith),
          source: meta.source,
          origin: meta.origin ?? null,
          created: existing?.created ?? now,
          updated: now,
          id: existing?.id ?? newId(),
          file,
        };
        return ok([putEntry(before, key, toRecord(entry)), entry]);
      });
    },
    adjust: async (keyOrId, facts) => {
      const found = await find(keyOrId);
      if (found === undefined) return refuseUnknown(keyOrId);
      return await change(found, (before, existing) => {
        if (existing === undefined) return refuseUnknown(keyOrId);
        const entry = { ...existing, ...facts, id: existing.id ?? newId() };
        return ok([putEntry(before, found.key, toRecord(entry)), entry]);
      });
    },
    delete: async (keyOrId, { permit, effect } = {}) => {
      const found = await find(keyOrId);
      if (found === undefined) return refuseUnknown(keyOrId);
      const cut = (file: string, done: MemoryMeta["effect"]): Promise<Result<MemoryEntry, Refusal>> =>
        change({ file, key: found.key, effect: done }, (before, existing) => {
          if (existing === undefined) return refuseUnknown(keyOrId);
          const permitted = permit?.(existing) ?? ok(null);
          return permitted.ok ? ok([cutEntry(before, found.key), existing]) : permitted;
        });
      // A key that a person wrote into two files is forgotten in both. The last change is the one that is remembered.
      const others = found.key === keyOrId ? (await list()).entries.filter((entry) => entry.key === found.key) : [];
      for (const { file } of others) {
        if (file === found.file) continue;
        const also = await cut(file, undefined);
        if (!also.ok) return also;
      }
      return await cut(found.file, effect);
    },
    search: async (query) => {
      const words = query
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== "");
      const { entries } = await list();
      return entries.filter((entry) => {
        const text = `${entry.key}\n${typeof entry.value === "string" ? entry.value : JSON.stringify(entry.value)}`;
        return words.every((word) => text.toLowerCase().includes(word));
      });
    },
  };
}

function parseText(file: string, text: string): ParsedText {
  const { entries, problems } = parseMemoryFile(file, text);
  return { text, entries, problems };
}

function yamlFiles(all: readonly AreaFile[]): AreaFile[] {
  const files = all.filter(({ name }) => /\.ya?ml$/.test(name));
  return [...files.filter(({ name }) => !OWN_FILE.test(name)), ...ownFiles(all)];
}

/** In the order of their creation. */
function ownFiles(all: readonly AreaFile[]): AreaFile[] {
  const number = ({ name }: AreaFile): number => Number(OWN_FILE.exec(name)?.[1] ?? 1);
  return all.filter(({ name }) => OWN_FILE.test(name)).toSorted((a, b) => number(a) - number(b));
}

function fileForNewEntry(area: Area): string {
  const files = area.files();
  const newest = files.ok ? ownFiles(files.value).at(-1) : undefined;
  if (newest === undefined) return "learned.yaml";
  if (newest.bytes < FULL_BYTES) return newest.name;
  return `learned-${Number(OWN_FILE.exec(newest.name)?.[1] ?? 1) + 1}.yaml`;
}

/** An entry that was written by hand stays plain when a person changes only its value. */
function staysPlain(value: MemoryValue, meta: MemoryMeta): boolean {
  const { source, tier, visibility, sharedWith } = meta;
  const isPlain = tier === undefined && visibility === undefined && sharedWith === undefined;
  return source === PERSON && isPlain && !isRecord(value);
}

/** Nobody is not written down. */
function sharedNames(names: readonly string[] = []): Pick<MemoryEntry, "sharedWith"> {
  return names.length === 0 ? {} : { sharedWith: names };
}

/** Unknown facts are not written. */
function toRecord({ value, tier, visibility, sharedWith = [], source, origin, created, updated, id }: MemoryEntry) {
  const share_with = sharedWith.length === 0 ? null : sharedWith;
  const facts = { tier, visibility, share_with, source, origin, created, updated, id };
  return { value, ...Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== null)) };
}

function checkKey(key: string): Refused | undefined {
  const why =
    key.trim() === "" || key !== key.trim()
      ? "is empty or starts or ends with a space"
      : Buffer.byteLength(key) > MAX_KEY_BYTES
        ? `is longer than ${MAX_KEY_BYTES} bytes`
        : !key.isWellFormed() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(key)
          ? "holds invisible characters"
          : key === "__proto__" || key === "<<"
            ? "has a special meaning"
            : undefined;
  if (why === undefined) return undefined;
  return refuse("invalid", `memory key ${JSON.stringify(key.slice(0, 80))} ${why}`, {
    hint: 'use a short name on one line, such as "review-style"',
  });
}

function checkValue(key: string, value: MemoryValue): Refused | undefined {
  if (toMemoryValue(value, MAX_DEPTH - 1) === undefined) {
    return refuse("invalid", `the memory "${key}" is nested too deeply`, { hint: "remember it as plain text" });
  }
  if (Buffer.byteLength(JSON.stringify(value)) <= MAX_VALUE_BYTES) return undefined;
  return refuse("too_large", `the memory "${key}" is larger than ${MAX_VALUE_BYTES} bytes`, {
    hint: "remember the gist, and put the rest into a note or a document",
  });
}

/** Returns the value as it can be stored in a file: without NaN and lone surrogates. */
function asJson(value: MemoryValue): MemoryValue {
  const wellFormed = (_key: string, part: unknown): unknown => (typeof part === "string" ? part.toWellFormed() : part);
  const json: MemoryValue = JSON.parse(JSON.stringify(value, wellFormed));
  return json;
}

function refuseUnknown(keyOrId: string): Refused {
  return refuse("not_found", `There is no memory "${keyOrId.slice(0, 80)}".`, {
    hint: "Take the key or id from the list of memories.",
  });
}

function refuseUnusable(file: string, problems: readonly MemoryProblem[]): Refused {
  const [problem] = problems;
  const place = problem?.line === null || problem === undefined ? file : `${file}:${problem.line}`;
  return refuse(
    "conflict",
    `memory/${place} cannot be read as YAML, so it is not written to: ${problem?.message ?? ""}`,
    {
      hint: "correct the file by hand, then try again; nothing in it was lost",
      details: { file, line: problem?.line ?? null },
    },
  );
}

function refuseTangled(file: string, key: string): Refused {
  return refuse("conflict", `"${key}" in memory/${file} is tied to other entries of the file (anchors and aliases)`, {
    hint: "edit the file by hand",
  });
}
