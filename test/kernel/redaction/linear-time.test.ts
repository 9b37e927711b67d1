import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isIn } from "../../../src/kernel/redaction/character-set.ts";
import { ISSUED_KEYS, KEYS_AROUND, UNLIMITED } from "../../../src/kernel/redaction/issued-keys.ts";
import { createRedactor } from "../../../src/kernel/redact.ts";
import { runs } from "../../property.ts";

/** The most that each character of a text may be read, on average. A rule that reads a run again and again exceeds it. */
const MOST_READS = 60;
const LENGTH = 20_000;

/** How often characters were read while a text of this unit was redacted, for each character of the text. */
function readsPerCharacter(unit: string): number {
  const text = unit.repeat(Math.ceil(LENGTH / Math.max(1, unit.length)));
  const { redact } = createRedactor({ secrets: ["abcabcabd0", "zzzzzz"] });
  const read = Object.getOwnPropertyDescriptor(String.prototype, "charCodeAt") ?? {};
  let reads = 0;
  const counted = function (this: string, at: number): number {
    reads += 1;
    return (read.value as (at: number) => number).call(this, at);
  };
  try {
    Object.defineProperty(String.prototype, "charCodeAt", { ...read, value: counted });
    redact(text);
  } finally {
    Object.defineProperty(String.prototype, "charCodeAt", read);
  }
  return reads / text.length;
}

const PREFIXES = ISSUED_KEYS.map(({ prefix }) => prefix);
const PIECES = [
  "token=",
  "password=",
  "authorization: ",
  "Bearer ",
  '"token":"',
  '\\"token\\":\\"',
  "api_key: ",
  "password='",
  "secret = ",
  "://",
  "http://a:",
  "@",
  ":AA",
  "8Q~",
  "-us1",
  "-----BEGIN PRIVATE KEY-----",
  "-----",
  "eyJ",
  "a",
  "1",
  "a.b+c-",
  ".",
  "-",
  "_",
  "/",
  "=",
  ":",
  '"',
  "'",
  "\\",
  "(",
  "$",
  "{",
  " ",
  "\n",
  "\t",
  "é",
  "x".repeat(30),
  "abcabcab",
  "a1B2c3D4e5F6g7H8i9J0",
  "process.env.A",
  "your_api_key_here",
  "--token ",
  '--password "',
  "--",
  "curl -u a:",
  " -u ",
  "sshpass -p ",
  "login me password ",
  "PASSWORD '",
  "</password>",
  "<password>",
  "Cookie: a=",
  'key="token" value="',
  "?key=",
  ".atlasv1.",
];

describe("redaction takes linear time [redaction.time]", () => {
  it.each([...PIECES, ...PREFIXES])("for %j again and again", (unit) => {
    expect(readsPerCharacter(unit)).toBeLessThan(MOST_READS);
  });

  it("for crafted texts", () => {
    const unit = fc.array(fc.constantFrom(...PIECES, ...PREFIXES), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(unit, (pieces) => {
        expect(readsPerCharacter(pieces.join(""))).toBeLessThan(MOST_READS);
      }),
      runs(150),
    );
  });

  it("because no key is tried twice: no run contains what follows it, and a key has a beginning of its own", () => {
    for (const { prefix, parts } of ISSUED_KEYS) {
      expect(prefix.length).toBeGreaterThanOrEqual(2);
      for (const [index, part] of parts.entries()) {
        const next = parts[index + 1];
        if (typeof part === "string" || typeof next !== "string") continue;
        expect(isIn(part.of, next.charCodeAt(0)) && part.most === UNLIMITED, prefix).toBe(false);
      }
    }
    for (const { inside, before, after } of KEYS_AROUND) {
      expect(Math.max(before.most, after.most), inside).toBeLessThanOrEqual(15 * inside.length);
    }
  });

  it("because no pattern repeats a group without a limit", () => {
    const folder = join(import.meta.dirname, "../../../src/kernel/redaction");
    for (const file of globSync("*.ts", { cwd: folder })) {
      expect(readFileSync(join(folder, file), "utf8"), file).not.toMatch(/\)(?:[*+]|\{\d+,\})[^ ]/);
    }
  });
});
