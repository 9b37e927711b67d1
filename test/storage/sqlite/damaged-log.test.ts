import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Random } from "../../../src/kernel/random.ts";
import { message, write } from "../../../src/testing/store-conformance/records.ts";
import { spawnSupport } from "../../support/process/spawned.ts";
import { printedSeed } from "../../support/store/seed.ts";
import { openStoreFile } from "../../support/store/sqlite-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Commits that are in the database file itself, and commits that are only in the log when the writer is killed. */
const SETTLED = 20;
const LOGGED = 60;
const FLIPS = 40;

const folder = temporaryFolder();
const PARTS = ["a.db", "a.db-wal", "a.db.commits"];
const expected = [
  ...Array.from({ length: SETTLED }, (_, n) => `settled-${n}`),
  ...Array.from({ length: LOGGED }, (_, n) => `logged-${n}`),
];

beforeAll(async () => {
  mkdirSync(folder.in("killed"));
  const file = folder.in("killed/a.db");
  {
    await using store = openStoreFile(file);
    for (let n = 0; n < SETTLED; n += 1) {
      await write(store, ({ messages }) => messages.append(message(`settled-${n}`), null));
    }
  }
  await using writer = spawnSupport("store-process.ts", [file]);
  writer.send(`chain logged ${LOGGED}`);
  await writer.line("done logged");
});
afterAll(() => folder[Symbol.dispose]());

/** What a start finds after the log was changed. */
async function reopenAfter(damage: (log: Buffer) => Buffer): Promise<{ ids: string[]; lost: number }> {
  const dir = folder.in("reopened");
  mkdirSync(dir);
  try {
    for (const part of PARTS) copyFileSync(folder.in(`killed/${part}`), `${dir}/${part}`);
    writeFileSync(`${dir}/a.db-wal`, damage(readFileSync(`${dir}/a.db-wal`)));
    const found = await look(`${dir}/a.db`);
    // The loss was reported; from here on the store is whole again and says nothing more.
    expect(await look(`${dir}/a.db`)).toEqual({ ...found, lost: 0 });
    return found;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function look(file: string): Promise<{ ids: string[]; lost: number }> {
  await using store = openStoreFile(file);
  expect(await store.findDamage()).toEqual([]);
  const page = await store.read((reads) => reads.messages.page({ space: "@review:main", limit: 999 }));
  return { ids: page.map(({ id }) => id), lost: store.lostCommits };
}

/** A commit each: as many messages as are missing at the end, so many commits were lost. */
const prefix = (length: number): { ids: string[]; lost: number } => {
  const ids = expected.slice(0, Math.max(length, SETTLED));
  return { ids, lost: expected.length - ids.length };
};

const below = (random: Random, limit: number): number => Math.floor(random() * limit);

it("an undamaged log of a killed writer loses nothing", async () => {
  expect(await reopenAfter((log) => log)).toEqual({ ids: expected, lost: 0 });
});

it("a log with a flipped bit gives a prefix and the number of commits it lost [store.lost-commits]", async () => {
  const random = printedSeed("flipped bits");
  let losses = 0;
  for (let flip = 0; flip < FLIPS; flip += 1) {
    const found = await reopenAfter((log) => {
      const at = below(random, log.length);
      log[at] = (log[at] ?? 0) ^ (1 << below(random, 8));
      return log;
    });
    expect(found).toEqual(prefix(found.ids.length));
    if (found.lost > 0) losses += 1;
  }
  expect(losses).toBeGreaterThan(FLIPS / 2);
});

it("a truncated log gives a prefix and the number of commits it lost [store.lost-commits]", async () => {
  const random = printedSeed("truncated log");
  for (let cut = 0; cut < 25; cut += 1) {
    const found = await reopenAfter((log) => log.subarray(0, below(random, log.length)));
    expect(found).toEqual(prefix(found.ids.length));
  }
  expect(await reopenAfter((log) => log.subarray(0, 0))).toEqual(prefix(SETTLED));
});

it("a torn log (sectors that never arrived) gives a prefix and the number of commits it lost [store.lost-commits]", async () => {
  const random = printedSeed("torn log");
  for (let tear = 0; tear < 25; tear += 1) {
    const found = await reopenAfter((log) => {
      const sector = below(random, log.length / 512) * 512;
      return log.fill(0, sector, random() < 0.5 ? Math.min(sector + 512, log.length) : log.length);
    });
    expect(found).toEqual(prefix(found.ids.length));
  }
});
