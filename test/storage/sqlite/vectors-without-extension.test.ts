import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { openMemoryIndex } from "../../../src/storage/sqlite/memory-index/memory-index.ts";
import { personalText } from "../../../bench/support/personal-text.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

// The optional dependency is not installed.
vi.mock("node:module", () => ({
  createRequire: () => () => {
    throw new Error("not installed");
  },
}));

it("[recall.embedding] texts are found by meaning where sqlite-vec is missing", async () => {
  using folder = temporaryFolder();
  using index = openMemoryIndex(join(folder.path, "index", "memory.db"), systemClock);
  const texts = Array.from({ length: 300 }, (_, n) => personalText(`k${n}`, `text number ${n}`));
  await index.put("alice", "memory/a.yaml", "1", texts);
  const stored = [...index.withoutVector("alice", "p/one", { after: 0, limit: 500 })];
  const vectorOf = (n: number): Float32Array => Float32Array.from([Math.cos(n / 40), Math.sin(n / 40), 0.1]);
  await index.putVectors(
    "alice",
    "p/one",
    stored.map(({ id }, n) => ({ id, vector: vectorOf(n) })),
  );
  const near = { model: "p/one", vector: vectorOf(250) };
  const found = await index.search("alice", "something else", { limit: 3, now: 0, near });
  expect(found?.[0]).toMatchObject({ key: "k250", why: "near by meaning" });
  expect(found?.map(({ key }) => key).toSorted()).toEqual(["k249", "k250", "k251"]);
});
