import { setImmediate } from "node:timers/promises";
import { PERSON } from "../../domain/message/message.ts";
import type { Clock } from "../../kernel/clock.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import type {
  Memory,
  MemoryAdjustment,
  MemoryEntry,
  MemoryListing,
  MemoryMeta,
  MemoryProblem,
  MemoryValue,
} from "../../ports/personal-context.ts";
import type { Area, AreaFile, TextChange } from "./area.ts";
import { checkKey, checkValue, refuseTangled, refuseUnknown, refuseUnusable } from "./memory-checks.ts";
import { appendEntry, cutEntry, putEntries, putEntry } from "./memory-edit.ts";
import { isRecord, parseMemoryFile, parseText } from "./memory-file.ts";
import type { MemoryFile, ParsedText } from "./memory-file.ts";

/**
 * The memory folder. Every `*.yaml` in it is read; new entries go to the agent's own files (`learned.yaml`, ...). These
 * stay small, because writing an entry reads and rewrites its whole file.
 */
const OWN_FILE = /^learned(?:-(\d+))?\.yaml$/;
const FULL_BYTES = 48 * 1024;
const MAX_FILE_BYTES = 512 * 1024;
const SETTLED_MS = 1000;

/** Returns the new text (null = impossible) and the changed or deleted entry. */
type EntryChange = (
  before: MemoryFile,
  existing: MemoryEntry | undefined,
) => Result<readonly [string | null, MemoryEntry], Refusal>;

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
  const list = async (known?: Awaited<ReturnType<Area["files"]>>): Promise<MemoryListing> => {
    const files = known ?? (await area.files());
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
    const byFile = markReplaced(parts.map((part) => part.entries));
    const listing = { entries: byFile.flat(), files: byFile, problems };
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

  /** Adds an entry to a file whose text is known. Null: it is not, or the text must be parsed. */
  const append = async (
    file: string,
    entry: MemoryEntry,
    effect: MemoryMeta["effect"],
  ): Promise<Result<MemoryEntry, Refusal> | null> => {
    let after: ParsedText | null = null;
    const impossible = refuse("conflict", "the file must be parsed");
    const added = await area.edit<MemoryEntry>(
      file,
      MAX_FILE_BYTES,
      (current) => {
        const text = current ?? "";
        const known = text === "" ? parseText(file, "") : cache.get(file)?.parsed;
        after = known?.text === text ? appendEntry(known, file, entry.key, toRecord(entry)) : null;
        return after === null ? impossible : ok({ text: after.text, value: entry });
      },
      effect,
    );
    if (!added.ok) return added.error === impossible.error ? null : added;
    if (after !== null) cache.set(file, { parsed: after, stamp: null });
    return added;
  };

  const newEntry = (
    key: string,
    value: MemoryValue,
    file: string,
    meta: MemoryMeta,
    existing?: MemoryEntry,
  ): MemoryEntry => {
    const now = new Date(clock.now()).toISOString();
    return {
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
      ...(meta.replaces === undefined ? {} : { replaces: meta.replaces }),
      file,
    };
  };

  return {
    list: () => list(),
    get: async (keyOrId) => {
      const entry = await find(keyOrId);
      return entry === undefined ? refuseUnknown(keyOrId) : ok(entry);
    },
    set: async (key, input, meta) => {
      const refused = checkKey(key) ?? checkValue(key, input);
      if (refused !== undefined) return refused;
      const value = asJson(input);
      const files = await area.files();
      const { entries } = await list(files);
      const known = entries.find((entry) => entry.key === key);
      const file = known?.file ?? fileForNewEntry(files.ok ? files.value : []);
      if (known === undefined) {
        const added = await append(file, newEntry(key, value, file, meta), meta.effect);
        if (added !== null) return added;
      }
      return await change({ file, key, effect: meta.effect }, (before, existing) => {
        const permitted = existing === undefined ? ok(null) : (meta.permit?.(existing) ?? ok(null));
        if (!permitted.ok) return permitted;
        if (existing !== undefined && before.plainKeys.has(key) && staysPlain(value, meta)) {
          return ok([putEntry(before, key, value), { ...existing, value }]);
        }
        const entry = newEntry(key, value, file, meta, existing);
        return ok([putEntry(before, key, toRecord(entry)), entry]);
      });
    },
    adjust: async (keyOrId, facts, permit) => {
      const found = await find(keyOrId);
      if (found === undefined) return refuseUnknown(keyOrId);
      return await change(found, (before, existing) => {
        if (existing === undefined) return refuseUnknown(keyOrId);
        const permitted = permit?.(existing) ?? ok(null);
        if (!permitted.ok) return permitted;
        const entry = withFacts({ ...existing, id: existing.id ?? newId() }, facts);
        return ok([putEntry(before, found.key, toRecord(entry)), entry]);
      });
    },
    adjustAll: async (chosen, facts) => {
      const adjusted: MemoryEntry[] = [];
      for (const [file, ofFile] of Map.groupBy(chosen, (entry) => entry.file)) {
        const keys = new Set(ofFile.map(({ key }) => key));
        const edit: TextChange<readonly MemoryEntry[]> = (current) => {
          const before = parseMemoryFile(file, current ?? "");
          if (before.document === undefined) return refuseUnusable(file, before.problems);
          const changed = before.entries
            .filter(({ key }) => keys.has(key))
            .map((entry) => withFacts({ ...entry, id: entry.id ?? newId() }, facts));
          const text = putEntries(before, new Map(changed.map((entry) => [entry.key, toRecord(entry)])));
          return text === null ? refuseTangled(file, changed[0]?.key ?? "") : ok({ text, value: changed });
        };
        const done = await area.edit(file, MAX_FILE_BYTES, edit);
        if (!done.ok) return done;
        adjusted.push(...done.value);
        await setImmediate();
      }
      return ok(adjusted);
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

function yamlFiles(all: readonly AreaFile[]): AreaFile[] {
  const files = all.filter(({ name }) => /\.ya?ml$/.test(name));
  return [...files.filter(({ name }) => !OWN_FILE.test(name)), ...ownFiles(all)];
}

/** In the order of their creation. */
function ownFiles(all: readonly AreaFile[]): AreaFile[] {
  const number = ({ name }: AreaFile): number => Number(OWN_FILE.exec(name)?.[1] ?? 1);
  return all.filter(({ name }) => OWN_FILE.test(name)).toSorted((a, b) => number(a) - number(b));
}

function fileForNewEntry(files: readonly AreaFile[]): string {
  const newest = ownFiles(files).at(-1);
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

function withFacts(entry: MemoryEntry, facts: MemoryAdjustment): MemoryEntry {
  const { validUntil, replacedBy, ...rest } = { ...entry, ...facts };
  return {
    ...rest,
    ...(validUntil === undefined ? {} : { validUntil }),
    ...(replacedBy === undefined ? {} : { replacedBy }),
  };
}

/** Unknown facts are not written. */
function toRecord(entry: MemoryEntry) {
  const { value, tier, visibility, sharedWith = [], source, origin, created, updated, id } = entry;
  const { replaces, validUntil, replacedBy } = entry;
  const times = { created, updated, id, replaces, valid_until: validUntil, replaced_by: replacedBy };
  const share_with = sharedWith.length === 0 ? null : sharedWith;
  const facts = { tier, visibility, share_with, source, origin, ...times };
  return { value, ...Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact != null)) };
}

/** An entry that another one replaces is no longer true, even if a crash prevented that its file says so. */
function markReplaced(files: readonly (readonly MemoryEntry[])[]): readonly (readonly MemoryEntry[])[] {
  const later = new Map<string, MemoryEntry>();
  for (const entries of files)
    for (const entry of entries) if (entry.replaces !== undefined) later.set(entry.replaces, entry);
  if (later.size === 0) return files;
  const laterThan = ({ id, key, validUntil, updated }: MemoryEntry): MemoryEntry | undefined => {
    const by = validUntil === undefined ? (later.get(id ?? key) ?? later.get(key)) : undefined;
    // An entry that was written anew since then is true again.
    return by === undefined || (updated ?? "") > (by.created ?? by.updated ?? "") ? undefined : by;
  };
  return files.map((entries) => {
    if (!entries.some((entry) => laterThan(entry) !== undefined)) return entries;
    return entries.map((entry) => {
      const by = laterThan(entry);
      return by === undefined || by === entry
        ? entry
        : { ...entry, validUntil: by.created ?? by.updated ?? "", replacedBy: by.key };
    });
  });
}

/** Returns the value as it can be stored in a file: without NaN and lone surrogates. */
function asJson(value: MemoryValue): MemoryValue {
  const wellFormed = (_key: string, part: unknown): unknown => (typeof part === "string" ? part.toWellFormed() : part);
  const json: MemoryValue = JSON.parse(JSON.stringify(value, wellFormed));
  return json;
}
