import type { FileEffect } from "../../kernel/file-effect.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { checkFileName, foldName, refuseSize } from "../../files/confined-path.ts";
import { ARCHIVE, lastLines, numberedNames, type Area, type AreaFile } from "../../files/personal/area.ts";
import { missingBytes } from "../../files/personal/resumable-append.ts";
import type { PersonalFilePlace, PersonalFileRecord } from "../../ports/store/personal-file.ts";
import type { Store, StoreWrites } from "../../ports/store/store.ts";

export interface StoreAreaParts {
  readonly store: Pick<Store, "read" | "transact">;
  readonly agent: string;
  /** Folder inside the personal context: `memory`, `conversations/archive`. */
  readonly folder: string;
  readonly now: () => number;
  /** Returns a unique id for a new file. */
  readonly newId: () => string;
}

const MAX_ATTEMPTS = 10;

/** Undone and made again with what another writer wrote meanwhile. */
const CHANGED = refuse("stale_revision", "the file was changed by another writer");

/**
 * A folder of a personal context as rows of a store. A text is changed outside of transactions, because every other writer
 * of the project waits for these, and is written only if it is still the text that was read.
 */
export function createStoreArea({ store, agent, folder, now, newId }: StoreAreaParts): Area {
  const placeOf = (name: string): PersonalFilePlace => ({ agent, folder, name });
  const find = (name: string) => store.read(({ personalFiles }) => personalFiles.find(placeOf(name)));
  const put = async (writes: StoreWrites, name: string, text: string): Promise<void> =>
    writes.personalFiles.put(placeOf(name), text, { id: newId(), at: now() });

  const read: Area["read"] = async (name, maxBytes) => {
    const checked = checkFileName(name, { flat: true });
    if (!checked.ok) return checked;
    const found = await find(checked.value);
    if (found === undefined) return refuse("not_found", `there is no file "${name}"`);
    return found.bytes > maxBytes ? refuseSize(name, maxBytes) : ok(found.content);
  };

  /** Writes a text in place of the one with this stamp; null: where there is no file. */
  const replace = async <T>(
    change: { readonly name: string; readonly stamp: string | null; readonly text: string; readonly value: T },
    effect: FileEffect<T> | undefined,
  ): Promise<Result<T, Refusal>> =>
    store.transact(async (writes): Promise<Result<T, Refusal>> => {
      const current = await writes.personalFiles.find(placeOf(change.name));
      if ((current?.stamp ?? null) !== change.stamp) return CHANGED;
      const refusal = await effect?.beginWithin(writes, change.value);
      if (refusal !== undefined) return { ok: false, error: refusal };
      await put(writes, change.name, change.text);
      return ok(change.value);
    });

  return {
    files: async () => ok((await store.read(({ personalFiles }) => personalFiles.list(agent, folder))).map(toAreaFile)),
    read,
    async tail(name, maxBytes) {
      const found = await find(name);
      if (found === undefined) return refuse("not_found", `there is no file "${name}"`);
      const bytes = Buffer.from(found.content);
      return ok(lastLines(bytes.subarray(Math.max(0, bytes.length - maxBytes)), bytes.length <= maxBytes));
    },
    async edit(name, maxBytes, change, effect) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const current = await find(name);
        if (current !== undefined && current.bytes > maxBytes) return refuseSize(name, maxBytes);
        const changed = change(current?.content ?? null);
        if (!changed.ok) return changed;
        const { text, value } = changed.value;
        if (text === current?.content) return ok(value);
        if (Buffer.byteLength(text) > maxBytes) return refuseSize(name, maxBytes);
        const replaced = await replace({ name, stamp: current?.stamp ?? null, text, value }, effect);
        if (replaced.ok || replaced.error !== CHANGED.error) return replaced;
      }
      return refuse("conflict", `"${name}" keeps being changed by another writer`, { hint: "try again in a moment" });
    },
    async add(names, text, valueOf, effect) {
      const taken = new Set(
        (await store.read((s) => s.personalFiles.list(agent, folder))).map((f) => foldName(f.name)),
      );
      for (const name of names) {
        if (taken.has(foldName(name))) continue;
        const added = await replace({ name, stamp: null, text, value: valueOf(name) }, effect);
        if (added.ok || added.error !== CHANGED.error) return added;
      }
      return refuse("conflict", "there is no free name for the file");
    },
    async remove(name, maxBytes, check) {
      const text = await read(name, maxBytes);
      if (!text.ok) return text;
      const checked = check(text.value);
      if (!checked.ok) return checked;
      return store.transact(async ({ personalFiles }) => {
        const current = await personalFiles.find(placeOf(name));
        if (current?.content !== text.value) return CHANGED;
        await personalFiles.remove(placeOf(name));
        return checked;
      });
    },
    append: (name, block, sizeBefore) =>
      store.transact(async (writes) => {
        const found = await writes.personalFiles.find(placeOf(name));
        const bytes = Buffer.from(found?.content ?? "");
        const file = { size: bytes.length, read: (at: number, max: number) => bytes.subarray(at, at + max) };
        const missing = missingBytes(file, block, found === undefined ? undefined : sizeBefore(found.id));
        const size = bytes.length + missing.length;
        if (found !== undefined) {
          if (missing.length > 0) await put(writes, name, found.content + missing.toString("utf8"));
          return ok({ identity: found.id, size });
        }
        await put(writes, name, missing.toString("utf8"));
        return ok({ identity: (await writes.personalFiles.find(placeOf(name)))?.id ?? "", size });
      }),
    archive: (choose) =>
      store.transact(async ({ personalFiles }) => {
        const archive = [folder, ARCHIVE].join("/");
        const taken = new Set((await personalFiles.list(agent, archive)).map((file) => foldName(file.name)));
        const moved: string[] = [];
        for (const { name } of choose((await personalFiles.list(agent, folder)).map(toAreaFile))) {
          const free = firstFree(numberedNames(name), taken);
          await personalFiles.move(placeOf(name), { folder: archive, name: free });
          taken.add(foldName(free));
          moved.push(`${ARCHIVE}/${free}`);
        }
        return ok(moved);
      }),
  };
}

/** The stamp is a hash, so a file is known to be the same however short ago it changed. */
function toAreaFile({ name, modifiedAt, bytes, stamp }: PersonalFileRecord): AreaFile {
  return { name, modifiedMs: modifiedAt, changedMs: 0, bytes, stamp };
}

function firstFree(names: Iterable<string>, taken: ReadonlySet<string>): string {
  for (const name of names) if (!taken.has(foldName(name))) return name;
  throw new Error("the numbers never end");
}
