import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../files/private-file.ts";
import type { Log } from "../kernel/log.ts";

/**
 * Which store each project had when it was last open, in the home. A project whose store is another one now says so: the
 * old one was deleted or moved while no daemon looked. Nothing depends on the list, so it may be lost.
 */
export interface KnownStores {
  /** Undefined for a project that was never open here. */
  of(dir: string): string | undefined;
  remember(dir: string, store: string): void;
  forget(dir: string): void;
}

const KNOWN_STORES_FILE = "stores.json";
const MOST = 1_000;
const listed = z.object({ stores: z.record(z.string(), z.string()) });

export function openKnownStores(home: string, log: Log): KnownStores {
  const path = join(home, KNOWN_STORES_FILE);
  const stores = new Map(Object.entries(read(path)));

  const write = (): void => {
    const newest = [...stores].slice(-MOST);
    try {
      writePrivateFile(path, `${JSON.stringify({ stores: Object.fromEntries(newest) }, null, 2)}\n`);
    } catch (error) {
      log.warn("the list of stores could not be written", { error });
    }
  };
  return {
    of: (dir) => stores.get(dir),
    remember(dir, store) {
      if (stores.get(dir) === store) return;
      stores.delete(dir);
      stores.set(dir, store);
      write();
    },
    forget(dir) {
      if (stores.delete(dir)) write();
    },
  };
}

function read(path: string): Readonly<Record<string, string>> {
  try {
    return listed.parse(JSON.parse(readFileSync(path, "utf8"))).stores;
  } catch {
    return {};
  }
}
