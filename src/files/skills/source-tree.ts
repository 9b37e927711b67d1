import { lstatSync, readdirSync, readSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { openInside } from "../confined-path.ts";

/** The files of a source of skills, before they are copied. */
export interface SourceTree extends AsyncDisposable {
  /** Name of a skill in the root. */
  readonly name: string;
  /** Recorded as the origin of an imported skill. */
  readonly origin: string;
  readonly entries: readonly SourceEntry[];
  read(entries: readonly SourceEntry[]): Promise<Result<readonly Uint8Array[], Refusal>>;
}

export interface SourceEntry {
  /** Relative to the root, with "/". Not checked yet. */
  readonly path: string;
  /** `other` is a link, a submodule or a special file. */
  readonly kind: "file" | "other";
  readonly bytes: number;
  readonly executable: boolean;
  /** Identifies the entry in its source. */
  readonly id: string;
}

export const MAX_SOURCE_ENTRIES = 20_000;
const MAX_DEPTH = 12;

/** Lists a local folder. Hidden files and folders are left out; links are listed but not followed. */
export function openFolderTree(path: string): Result<SourceTree, Refusal> {
  const root = resolve(path);
  if (lstatSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return refuse("not_found", `There is no folder ${path}.`);
  }
  const entries: SourceEntry[] = [];
  const visit = (inside: string, depth: number): void => {
    for (const name of readdirSync(join(root, inside)).toSorted()) {
      if (name.startsWith(".") || entries.length >= MAX_SOURCE_ENTRIES || depth > MAX_DEPTH) continue;
      const relative = inside === "" ? name : `${inside}/${name}`;
      const stats = lstatSync(join(root, relative), { throwIfNoEntry: false });
      if (stats === undefined) continue;
      if (stats.isDirectory()) visit(relative, depth + 1);
      else {
        const kind = stats.isFile() ? "file" : "other";
        entries.push({ path: relative, kind, bytes: stats.size, executable: (stats.mode & 0o100) !== 0, id: relative });
      }
    }
  };
  visit("", 0);
  return ok({
    name: basename(root),
    origin: root,
    entries,
    read: async (requested) => {
      const contents: Uint8Array[] = [];
      for (const { id, bytes } of requested) {
        const opened = openInside(root, id);
        if (!opened.ok) return opened;
        using file = opened.value;
        const buffer = Buffer.alloc(bytes);
        contents.push(buffer.subarray(0, readSync(file.fd, buffer, 0, bytes, 0)));
      }
      return ok(contents);
    },
    [Symbol.asyncDispose]: async () => {},
  });
}
