import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { referencePages } from "../../scripts/write-reference.ts";

const repository = join(import.meta.dirname, "../..");

it("[docs.cli-reference] docs/reference is what the program says of itself: node scripts/write-reference.ts", async () => {
  for (const [path, text] of Object.entries(await referencePages())) {
    expect(readFileSync(join(repository, path), "utf8"), path).toBe(text);
  }
});
