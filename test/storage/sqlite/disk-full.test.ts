import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ok } from "../../../src/kernel/result.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import { message } from "../../../src/testing/store-conformance/records.ts";
import { openStoreFile } from "../../support/store/sqlite-store.ts";

// Mounting a small disk is the privilege of root; elsewhere there is none to fill.
const disk = mkdtempSync(join(tmpdir(), "small-disk-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]).status === 0;

afterAll(() => {
  if (mounted) spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

function fill(): void {
  for (let size = 1 << 22; size >= 1024; size >>= 1) {
    try {
      writeFileSync(join(disk, "filler"), Buffer.alloc(size), { flag: "a" });
    } catch {
      // Smaller, then.
    }
  }
}

const full = { code: "disk_full", hint: expect.stringContaining("space") };

describe.skipIf(!mounted)("a full disk (skipped where a small disk cannot be mounted)", () => {
  it("nothing is acknowledged without disk, reads go on, and it works again with space [store.disk-full]", async () => {
    const file = join(disk, "a.db");
    const acked: string[] = [];
    const send = async (store: Store, id: string): Promise<void> => {
      const given = message(id, { body: "x".repeat(10_000) });
      await store.transact(async (writes) => ok(await writes.messages.append(given, null)));
      acked.push(id);
    };
    const ids = (store: Store) =>
      store.read(async (reads) =>
        (await reads.messages.page({ space: "@review:main", limit: 9_999 })).map(({ id }) => id),
      );
    {
      await using store = openStoreFile(file);
      for (let round = 0; round < 3; round += 1) {
        await send(store, `before-${round}`);
        fill();
        const tried = Array.from({ length: 50 }, (_, n) => send(store, `full-${round}-${n}`));
        for (const result of await Promise.allSettled(tried)) {
          expect(result).toMatchObject({ status: "rejected", reason: full });
        }
        expect(await ids(store)).toEqual(acked);
        rmSync(join(disk, "filler"));
        await send(store, `after-${round}`);
        expect(await ids(store)).toEqual(acked);
      }
      expect(await store.findDamage()).toEqual([]);
    }
    await using again = openStoreFile(file);
    expect(again.lostCommits).toBe(0);
    expect(await ids(again)).toEqual(acked);
  });

  it("a transaction larger than the disk fails alone, whatever it had written by then", async () => {
    await using store = openStoreFile(join(disk, "b.db"));
    const small = () =>
      store.transact(async (writes) => ok(await writes.messages.append(message(`small-${(count += 1)}`), null)));
    let count = 0;
    await small();
    const large = store.transact(async (writes) => {
      for (let n = 0; n < 400; n += 1) {
        await writes.messages.append(message(`large-${n}`, { body: "x".repeat(100_000) }), null);
      }
      return ok(undefined);
    });
    await expect(large).rejects.toMatchObject(full);
    await small();
    const kept = await store.read((reads) => reads.messages.page({ space: "@review:main", limit: 999 }));
    expect(kept.map(({ id }) => id)).toEqual(["small-1", "small-2"]);
    expect(await store.findDamage()).toEqual([]);
  });
});
