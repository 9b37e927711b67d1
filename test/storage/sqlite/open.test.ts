import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/kernel/fault.ts";
import { sqliteFault } from "../../../src/storage/sqlite/sqlite-fault.ts";
import { refuseOldSqlite } from "../../../src/storage/sqlite/sqlite-version.ts";
import { message, write } from "../../../src/testing/store-conformance/records.ts";
import { openMemoryStore, openStoreFile } from "../../support/store/sqlite-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const everything = { space: "@review:main", limit: 9_999 };

describe("opening a store", () => {
  it("needs a SQLite without the WAL-reset bug [store.sqlite-version]", () => {
    for (const version of ["3.51.2", "3.50.99", "3.9.0", "2.100.0"]) {
      expect(() => refuseOldSqlite(version)).toThrow(
        expect.objectContaining({ code: "runtime_too_old", message: expect.stringContaining(version) }),
      );
    }
    for (const version of ["3.51.3", "3.51.10", "3.100.0", "4.0.0"])
      expect(() => refuseOldSqlite(version)).not.toThrow();
  });

  it("makes the folder, for its owner only", async () => {
    using folder = temporaryFolder();
    await using store = openStoreFile(folder.in("deep/er/a.db"));
    expect(await store.findDamage()).toEqual([]);
  });

  it("refuses a file that is no database, and leaves it as it was [store.integrity]", () => {
    using folder = temporaryFolder();
    writeFileSync(folder.in("a.db"), "this is a letter, not a database. ".repeat(200));
    const before = readFileSync(folder.in("a.db"));
    expect(() => openStoreFile(folder.in("a.db"))).toThrow(
      expect.objectContaining({ code: "database_damaged", hint: expect.stringContaining("backup") }),
    );
    expect(readFileSync(folder.in("a.db")).equals(before)).toBe(true);
  });

  it("lets go of the lock when it fails", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.in("a.db"), "no database".repeat(1_000));
    expect(() => openStoreFile(folder.in("a.db"))).toThrow(expect.objectContaining({ code: "database_damaged" }));
    writeFileSync(folder.in("a.db"), "");
    await using store = openStoreFile(folder.in("a.db"));
    expect(await store.findDamage()).toEqual([]);
  });

  it("reports commits that vanished with the database file [store.lost-commits]", async () => {
    using folder = temporaryFolder();
    {
      await using store = openStoreFile(folder.in("a.db"));
      for (let n = 0; n < 3; n += 1) await write(store, ({ messages }) => messages.append(message(`msg_${n}`), null));
    }
    writeFileSync(folder.in("a.db"), "");
    await using store = openStoreFile(folder.in("a.db"));
    expect(store.lostCommits).toBe(3);
  });

  it("goes on when the count of commits is missing, cut or behind: only a count that is ahead tells of a loss", async () => {
    using folder = temporaryFolder();
    const file = folder.in("a.db");
    for (const count of ["", "12", "0000000000000000", "not a number at all"]) {
      await using store = openStoreFile(file);
      expect(store.lostCommits).toBe(0);
      await write(store, ({ messages }) => messages.append(message(`msg of ${count}`), null));
      await store[Symbol.asyncDispose]();
      writeFileSync(`${file}.commits`, count);
    }
    await using store = openStoreFile(file);
    expect(store.lostCommits).toBe(0);
  });

  it.skipIf(process.getuid?.() === 0)("says so when it may not write (skipped for root, who may)", () => {
    using folder = temporaryFolder();
    mkdirSync(folder.in("closed"));
    chmodSync(folder.in("closed"), 0o500);
    expect(() => openStoreFile(folder.in("closed/a.db"))).toThrow(expect.objectContaining({ code: "file_unwritable" }));
  });
});

it("damage inside the file is found and named, and never repaired in silence [store.integrity]", async () => {
  using folder = temporaryFolder();
  const file = folder.in("a.db");
  {
    await using store = openStoreFile(file);
    await write(store, async ({ messages }) => {
      for (let n = 0; n < 1_000; n += 1) await messages.append(message(`msg_${n}`, { body: "x".repeat(400) }), `k${n}`);
    });
  }
  const whole = readFileSync(file);
  let found = 0;
  for (let page = 60; page < 150; page += 5) {
    writeFileSync(file, Buffer.from(whole).fill(0xa5, page * 4096 + 8, page * 4096 + 2048));
    await using store = openStoreFile(file);
    found += (await store.findDamage()).length;
    await store[Symbol.asyncDispose]();
    copyFileSync(file, folder.in("after.db"));
    expect(readFileSync(folder.in("after.db"))[page * 4096 + 8]).toBe(0xa5);
  }
  expect(found).toBeGreaterThan(0);
});

describe("a backup", () => {
  it("taken while writes go on is complete and opens as a database of its own [store.backup]", async () => {
    using folder = temporaryFolder();
    await using store = openStoreFile(folder.in("a.db"));
    const send = (n: number) => write(store, ({ messages }) => messages.append(message(`msg_${n}`), null));
    for (let n = 0; n < 50; n += 1) await send(n);
    const meanwhile = Array.from({ length: 100 }, (_, n) => send(50 + n));
    await store.backup(folder.in("copy.db"));
    await Promise.all(meanwhile);

    await using copy = openStoreFile(folder.in("copy.db"));
    expect(await copy.findDamage()).toEqual([]);
    expect(copy.lostCommits).toBe(0);
    const kept = (await copy.read((reads) => reads.messages.page(everything))).map(({ id }) => id);
    expect(kept.length).toBeGreaterThanOrEqual(50);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, n) => `msg_${n}`));
    await write(copy, ({ messages }) => messages.append(message("msg_of_copy"), null));
    expect(await store.read((reads) => reads.messages.page(everything))).toHaveLength(150);
  });

  it("never writes over a file, and can be made of a store in memory", async () => {
    using folder = temporaryFolder();
    await using store = openMemoryStore();
    await write(store, ({ messages }) => messages.append(message("msg_1"), null));
    await store.backup(folder.in("copy.db"));
    await expect(store.backup(folder.in("copy.db"))).rejects.toMatchObject({ code: "file_unwritable" });
    await using copy = openStoreFile(folder.in("copy.db"));
    expect(await copy.read((reads) => reads.messages.page(everything))).toHaveLength(1);
  });
});

it.each([
  [13, "disk_full"],
  [4874, "disk_full"],
  [1034, "disk_failed"],
  [1290, "disk_failed"],
  [778, "disk_failed"],
  [11, "database_damaged"],
  [26, "database_damaged"],
  [5, "database_locked"],
  [261, "database_locked"],
  [14, "file_unwritable"],
  [1032, "file_unwritable"],
])("SQLite's error %i means %s", (errcode, code) => {
  const error = Object.assign(new Error("from SQLite"), { errcode });
  const fault = sqliteFault(error);
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ code, cause: error });
});

it("an error of any other kind stays what it is: a bug", () => {
  for (const error of [new Error("bug"), Object.assign(new Error("constraint"), { errcode: 2067 }), "text"]) {
    expect(sqliteFault(error)).toBe(error);
  }
});
