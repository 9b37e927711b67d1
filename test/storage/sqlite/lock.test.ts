import { expect, it } from "vitest";
import { spawnSupport } from "../../support/process/spawned.ts";
import { openStoreFile } from "../../support/store/sqlite-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const locked = expect.objectContaining({ code: "database_locked", message: expect.stringContaining("Another") });

it("a second process is refused at once and the first goes on; a killed holder frees the store [store.lock]", async () => {
  using folder = temporaryFolder();
  const file = folder.in("a.db");
  await using holder = spawnSupport("store-process.ts", [file]);
  await holder.line("opened");
  expect(() => openStoreFile(file)).toThrow(locked);
  holder.send("together m 3");
  await holder.line("done m");
  expect(holder.lines.filter((line) => line.startsWith("acked"))).toHaveLength(3);
  expect(() => openStoreFile(file)).toThrow(locked);

  holder.kill();
  await holder.ended;
  await using store = openStoreFile(file);
  expect(store.lostCommits).toBe(0);
  expect(await store.read((reads) => reads.messages.page({ space: "@review:main", limit: 9 }))).toHaveLength(3);
});

it("a second opening in the same process is refused, and does not free the first one's lock", async () => {
  using folder = temporaryFolder();
  const file = folder.in("a.db");
  {
    await using store = openStoreFile(file);
    expect(() => openStoreFile(file)).toThrow(locked);
    await using other = spawnSupport("store-process.ts", [file]);
    expect(await other.line("refused")).toContain("database_locked");
    expect(await store.findDamage()).toEqual([]);
  }
  await using again = openStoreFile(file);
  expect(again.lostCommits).toBe(0);
});

it("of several processes started at once exactly one has the store", async () => {
  using folder = temporaryFolder();
  const file = folder.in("a.db");
  const started = Array.from({ length: 4 }, () => spawnSupport("store-process.ts", [file]));
  try {
    const answers = await Promise.all(started.map((each) => Promise.any([each.line("opened"), each.line("refused")])));
    expect(answers.filter((answer) => answer.startsWith("opened"))).toHaveLength(1);
    expect(answers.filter((answer) => answer.startsWith("refused database_locked"))).toHaveLength(3);
  } finally {
    for (const each of started) await each[Symbol.asyncDispose]();
  }
});
