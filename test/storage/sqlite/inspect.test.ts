import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inspectDatabase } from "../../../src/storage/sqlite/inspect.ts";
import { openStoreFile } from "../../support/store/sqlite-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("a database looked at from outside", () => {
  it("is sound, missing, short of commits, or none at all", async () => {
    using folder = temporaryFolder();
    const file = folder.in("team.db");
    expect(inspectDatabase(file)).toBeUndefined();
    {
      await using _store = openStoreFile(file);
      expect(inspectDatabase(file)).toEqual({ damage: [], lostCommits: 0 });
    }
    expect(inspectDatabase(file)).toEqual({ damage: [], lostCommits: 0 });

    const counted = Number(readFileSync(`${file}.commits`, "latin1"));
    writeFileSync(`${file}.commits`, String(counted + 3).padStart(16, "0"));
    expect(inspectDatabase(file)).toEqual({ damage: [], lostCommits: 3 });

    writeFileSync(file, "nothing of the kind");
    expect(() => inspectDatabase(file)).toThrow(expect.objectContaining({ code: "database_damaged" }));
  });
});
