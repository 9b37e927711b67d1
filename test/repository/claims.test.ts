import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const rows = readFileSync(`${root}docs/claims.md`, "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| promise"));

describe("docs/claims.md", () => {
  it.each(rows)("names proofs that exist: %s", (row) => {
    const [, , proofs = ""] = row.split("|");
    const tests = [...proofs.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path ?? "");
    const campaigns = named(proofs, "campaign").map((name) => `test/campaign/${name}.test.ts`);
    const benches = named(proofs, "bench").map((name) => `bench/${name}.ts`);
    const cited = [...tests, ...campaigns, ...benches];

    expect(cited).not.toEqual([]);
    expect(cited.filter((path) => !existsSync(root + path))).toEqual([]);
  });
});

function named(proofs: string, kind: string): string[] {
  return [...proofs.matchAll(new RegExp(`${kind} \`([^\`]+)\``, "g"))].map(([, name]) => name ?? "");
}
