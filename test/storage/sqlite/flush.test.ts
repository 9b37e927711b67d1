import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ok } from "../../../src/kernel/result.ts";
import { message } from "../../../src/testing/store-conformance/records.ts";
import { spawnSupport, type Spawned } from "../../support/process/spawned.ts";
import { openStoreFile } from "../../support/store/sqlite-store.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

// A library between the program and the disk counts the flushes and can make them fail. It needs a C compiler.
const tools = temporaryFolder();
afterAll(() => tools[Symbol.dispose]());
const shim = tools.in("fsync-shim.so");
const source = join(import.meta.dirname, "../../support/process/fsync-shim.c");
const compiled = spawnSync("cc", ["-shared", "-fPIC", "-o", shim, source, "-ldl"]).status === 0;

function openStore(folder: TemporaryFolder): Spawned {
  const env = { LD_PRELOAD: shim, FSYNC_LOG: folder.in("flushes"), FSYNC_FAILS_WHILE: folder.in("broken") };
  return spawnSupport("store-process.ts", [folder.in("a.db")], { env });
}

async function answers(store: Spawned, command: "together" | "chain", id: string, count: number): Promise<string[]> {
  store.send(`${command} ${id} ${count}`);
  await store.line(`done ${id}`);
  return store.lines.filter((line) => new RegExp(`^(acked|failed) ${id}-`).test(line));
}

async function flushesSeen(
  store: Spawned,
  command: "together" | "chain",
  id: string,
  count: number,
): Promise<number[]> {
  return (await answers(store, command, id, count)).map((line) => Number(line.split(" ")[2]));
}

const flushCount = (folder: TemporaryFolder): number =>
  readFileSync(folder.in("flushes"), "utf8")
    .split("\n")
    .filter((line) => line.endsWith("-wal")).length;

describe.skipIf(!compiled)("flushing the log (skipped without a C compiler)", () => {
  it("every commit is flushed before it is answered, and one turn shares one flush [store.wal] [store.group-commit]", async () => {
    using folder = temporaryFolder();
    await using store = openStore(folder);
    await answers(store, "chain", "first", 1);
    const start = flushCount(folder);
    expect(await flushesSeen(store, "together", "turn", 300)).toEqual(Array.from({ length: 300 }, () => start + 1));
    expect(await flushesSeen(store, "chain", "alone", 20)).toEqual(Array.from({ length: 20 }, (_, n) => start + 2 + n));
    expect(await flushesSeen(store, "together", "many", 1_100)).toEqual(
      Array.from({ length: 1_100 }, (_, n) => start + 22 + Math.floor(n / 512)),
    );
    // 2 and 2 in the header: a database in WAL mode.
    expect([...readFileSync(folder.in("a.db")).subarray(18, 20)]).toEqual([2, 2]);
  });

  it("after a failed flush nothing is accepted any more, reads go on, what was acknowledged stays [store.disk-failed]", async () => {
    using folder = temporaryFolder();
    const store = openStore(folder);
    await using _ = store;
    const acked = await answers(store, "chain", "before", 5);
    expect(acked.every((line) => line.startsWith("acked"))).toBe(true);
    const flushed = flushCount(folder);

    writeFileSync(folder.in("broken"), "");
    const failed = await answers(store, "together", "during", 1_500);
    expect(new Set(failed.map((line) => line.replace(/-\d+ /, " ")))).toEqual(new Set(["failed during disk_failed"]));
    expect(failed).toHaveLength(1_500);
    rmSync(folder.in("broken"));
    const log = readFileSync(folder.in("a.db-wal"));
    expect(await answers(store, "chain", "after", 2)).toEqual([
      "failed after-0 disk_failed",
      "failed after-1 disk_failed",
    ]);
    expect(flushCount(folder), "tried once, never again").toBe(flushed + 1);
    expect(readFileSync(folder.in("a.db-wal")).equals(log)).toBe(true);
    store.send("count");
    expect(await store.line("count")).toBe("count 5");

    store.kill();
    await store.ended;
    await using again = openStoreFile(folder.in("a.db"));
    expect(again.lostCommits).toBe(0);
    expect(await again.findDamage()).toEqual([]);
    const kept = await again.read((reads) => reads.messages.page({ space: "@review:main", limit: 9, after: 0 }));
    expect(kept.slice(0, 5).map(({ id }) => id)).toEqual([0, 1, 2, 3, 4].map((n) => `before-${n}`));
  });
});

it("nobody of a turn is answered while another one's work of that turn is under way [store.group-commit]", async () => {
  using folder = temporaryFolder();
  await using store = openStoreFile(folder.in("a.db"));
  let answered = 0;
  const answeredDuringWork = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      let during = -1;
      await store.transact(async (writes) => {
        during = answered;
        return ok(await writes.messages.append(message(`msg_${n}`), null));
      });
      answered += 1;
      return during;
    }),
  );
  expect(answeredDuringWork).toEqual(answeredDuringWork.map(() => 0));
});
