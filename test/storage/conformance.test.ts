import { afterAll, describe, expect, it } from "vitest";
import { storeConformance, type StoreFactory } from "../../src/testing/store-conformance/suite.ts";
import { openMemoryStore, openStoreFile } from "../support/store/sqlite-store.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

let files = 0;
const placements: readonly { readonly name: string; readonly open: StoreFactory }[] = [
  { name: "a file", open: async () => openStoreFile(folder.in(`store-${(files += 1)}.db`)) },
  { name: "memory", open: async () => openMemoryStore() },
];

/** What the cases show, said once more here, where citations are looked for. */
const shown = [
  "[store.rollback]",
  "[store.concurrent-sends]",
  "[store.integrity]",
  "[store.bound-parameters]",
  "[store.events]",
  "[message.sequence]",
];

it("the cases cite what this suite says they show", () => {
  const cases = storeConformance(async () => openMemoryStore());
  const cited = cases.flatMap(({ name }) => name.match(/\[[a-z.-]+\]/g) ?? []);
  expect([...new Set(cited)].toSorted()).toEqual(shown.toSorted());
});

describe.each(placements)("the SQLite store in $name [store.conformance]", ({ open }) => {
  it.each(storeConformance(open))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
