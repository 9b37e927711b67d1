import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../../files/private-file.ts";
import type { Log } from "../../kernel/log.ts";

/**
 * Which store each project had when it was last open, in the home. A project whose store is gone accepts nothing until a
 * person says so: it was deleted or moved while no daemon looked. Another folder at the same path, such as a new clone,
 * is another project. The list may be lost: then the project begins as a new one.
 */
export interface KnownStores {
  readonly home: string;
  /** Undefined for a project that was never open here. */
  of(dir: string): string | undefined;
  remember(dir: string, store: string): void;
  forget(dir: string): void;
}

const KNOWN_STORES_FILE = "stores.json";
const MOST = 1_000;
const listed = z.object({
  stores: z.record(z.string(), z.string()),
  folders: z.record(z.string(), z.string()).default({}),
});

export function openKnownStores(home: string, log: Log): KnownStores {
  const path = join(home, KNOWN_STORES_FILE);
  const before = read(path);
  const stores = new Map(Object.entries(before.stores));
  const folders = new Map(Object.entries(before.folders));

  const write = (): void => {
    const newest = Object.fromEntries([...stores].slice(-MOST));
    const kept = Object.fromEntries([...folders].filter(([dir]) => Object.hasOwn(newest, dir)));
    try {
      writePrivateFile(path, `${JSON.stringify({ stores: newest, folders: kept }, null, 2)}\n`);
    } catch (error) {
      log.warn("the list of stores could not be written", { error });
    }
  };
  return {
    home,
    of: (dir) => ((folders.get(dir) ?? identityOf(dir)) === identityOf(dir) ? stores.get(dir) : undefined),
    remember(dir, store) {
      if (stores.get(dir) === store && folders.get(dir) === identityOf(dir)) return;
      stores.delete(dir);
      stores.set(dir, store);
      folders.set(dir, identityOf(dir));
      write();
    },
    forget(dir) {
      folders.delete(dir);
      if (stores.delete(dir)) write();
    },
  };
}

function read(path: string): z.output<typeof listed> {
  try {
    return listed.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return { stores: {}, folders: {} };
  }
}

/** A folder that was deleted and made again at the same path has another one. */
function identityOf(dir: string): string {
  const found = statSync(dir, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev}:${found.ino}`;
}
