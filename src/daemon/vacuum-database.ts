import { spawn } from "node:child_process";
import { once } from "node:events";
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import type { Store } from "../ports/store/store.ts";

const ENDING = import.meta.url.endsWith(".ts") ? "ts" : "js";
const PROGRAM = fileURLToPath(new URL(`../storage/sqlite/vacuum-process.${ENDING}`, import.meta.url));

/** SQLite writes the data that is left twice: into a copy, and into the log of the database. */
const COPIES = 2;
const MARGIN_BYTES = 16 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** Gives the free space of a database back to the disk. Transactions wait for as long as it takes; reads go on. */
export async function vacuumDatabase(store: Store, file: string): Promise<Result<void, Refusal>> {
  const { bytes, freeBytes } = await store.read((reads) => reads.retention.size());
  const folder = dirname(file);
  const { bavail, bsize } = statfsSync(folder);
  const needed = (bytes - freeBytes) * COPIES + MARGIN_BYTES;
  if (bavail * bsize < needed) {
    const [needs, has] = [needed, bavail * bsize].map((size) => Math.ceil(size / MEGABYTE));
    return refuse("conflict", `The disk has too little space for it: it takes ${needs} MB, and there are ${has} MB.`, {
      hint: "Free some space first. The free space of the database is used again for new data.",
    });
  }
  return store.hold(async () => {
    const child = spawn(process.execPath, [PROGRAM, file], {
      env: { SQLITE_TMPDIR: folder },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(child, "close");
    const errors = await text(child.stderr);
    await ended;
    if (child.exitCode === 0) return ok(undefined);
    return refuse("failed", "The database could not be written anew. Nothing was changed.", {
      hint: "See: agent-worker doctor",
      details: { reason: errors.slice(0, 500) },
    });
  });
}
