import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createPersonalFiles } from "../../../src/files/personal/personal-files.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { refuse } from "../../../src/kernel/refusal.ts";
import type { Memory, MemoryValue } from "../../../src/ports/personal-context.ts";
import { runs } from "../../property.ts";

let root: string;
let folder: string;
let memory: Memory;
let now: number;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "memory-")));
  folder = join(root, ".agents/alice/memory");
  now = Date.UTC(2026, 1, 24, 10);
  memory = open("alice");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

let ids = 0;
function open(agent: string): Memory {
  const clock = { ...systemClock, now: () => now };
  const created = createPersonalFiles({ root, dir: `.agents/${agent}/`, clock, newId: () => `mem_${(ids += 1)}` });
  if (!created.ok) throw new Error(created.error.message);
  return created.value.memory;
}

function byHand(file: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), text);
}

const text = (file: string): string => readFileSync(join(folder, file), "utf8");
const BY_ALICE = { source: "alice" };

describe("entries", () => {
  it("[memory.set-get] [memory.facts] keeps what was set, with who and when, working and private by default", async () => {
    expect(await memory.set("review-style", "short", BY_ALICE)).toMatchObject({ ok: true });
    const stored = await open("alice").get("review-style");
    expect(stored).toMatchObject({
      value: {
        value: "short",
        tier: "working",
        visibility: "private",
        source: "alice",
        created: "2026-02-24T10:00:00.000Z",
        updated: "2026-02-24T10:00:00.000Z",
        file: "learned.yaml",
      },
    });
    now += 60_000;
    await memory.set("review-style", ["short", "kind"], { ...BY_ALICE, visibility: "shareable" });
    expect(await memory.get("review-style")).toMatchObject({
      value: {
        ...(stored.ok ? stored.value : {}),
        value: ["short", "kind"],
        visibility: "shareable",
        updated: "2026-02-24T10:01:00.000Z",
      },
    });
    expect((await memory.list()).entries).toHaveLength(1);
  });

  it("[memory.list] lists every entry of the agent and of no other", async () => {
    byHand("preferences.yaml", "style: short\n1: one\n");
    byHand("core.yaml", "name: Alice\n");
    byHand("a.txt", "x: 1\n");
    await memory.set("a", 1, BY_ALICE);
    await open("bob").set("b", 2, { source: "bob" });
    const { entries, problems } = await memory.list();
    expect(entries.map(({ key, file, tier }) => [key, file, tier])).toEqual([
      ["name", "core.yaml", "core"],
      ["style", "preferences.yaml", "working"],
      ["1", "preferences.yaml", "working"],
      ["a", "learned.yaml", "working"],
    ]);
    expect(problems).toEqual([]);
  });

  it("[check.memory] forgets a key in every file it is written in", async () => {
    byHand("one.yaml", "team: red\nkeep: 1\n");
    byHand("two.yaml", "team: blue\n");
    expect(await memory.delete("team")).toMatchObject({ ok: true, value: { value: "red" } });
    expect(await memory.get("team")).toMatchObject({ ok: false, error: { code: "not_found" } });
    expect(await memory.get("keep")).toMatchObject({ ok: true });
  });

  it("[memory.delete] [memory.missing] forgets by key or id, and refuses what is not there by name", async () => {
    const set = await memory.set("a", "text", BY_ALICE);
    await memory.set("b", "text", BY_ALICE);
    const id = set.ok ? (set.value.id ?? "") : "";
    expect(await memory.get(id)).toMatchObject({ value: { key: "a" } });
    expect(await memory.delete(id)).toMatchObject({ ok: true, value: { key: "a" } });
    expect(Object.keys(parse(text("learned.yaml")) as object)).toEqual(["b"]);
    for (const result of [await memory.get("a"), await memory.delete("a")]) {
      expect(result).toMatchObject({ error: { code: "not_found", message: expect.stringContaining('"a"') } });
    }
    expect(await memory.delete("b")).toMatchObject({ ok: true });
    expect(await memory.list()).toMatchObject({ entries: [], problems: [] });
  });

  it("[memory.search-words] finds the entries that hold every word, whatever the case", async () => {
    byHand("facts.yaml", "deploy:\n  when: Friday never\n  who: [bob]\nother: nothing\n");
    await memory.set("friday", "beer", BY_ALICE);
    const keys = async (query: string): Promise<string[]> => (await memory.search(query)).map((entry) => entry.key);
    expect(await keys("FRIDAY")).toEqual(["deploy", "friday"]);
    expect(await keys("bob  friday")).toEqual(["deploy"]);
    expect(await keys(".*")).toEqual([]);
  });

  it("asks the caller before it replaces or forgets, while nobody else can write", async () => {
    byHand("core.yaml", "name: Alice\n");
    const permit = (): ReturnType<typeof refuse> => refuse("forbidden", "core is a person's");
    expect(await memory.set("name", "Mallory", { ...BY_ALICE, permit })).toMatchObject({
      error: { code: "forbidden" },
    });
    expect(await memory.delete("name", { permit })).toMatchObject({ error: { code: "forbidden" } });
    expect(text("core.yaml")).toBe("name: Alice\n");
    expect(await memory.set("new", "x", { ...BY_ALICE, permit })).toMatchObject({ ok: true });
  });

  it("takes up an edit by hand that was made while it was at work", async () => {
    byHand("preferences.yaml", "a: 1\n");
    let asked = 0;
    const permit = (): { readonly ok: true; readonly value: null } => {
      asked += 1;
      if (asked === 1) byHand("preferences.yaml", "a: 1\nb: 2\n");
      return { ok: true, value: null };
    };
    expect(await memory.set("a", 3, { source: "user", permit })).toMatchObject({ ok: true });
    expect(text("preferences.yaml")).toBe("a: 3\nb: 2\n");
  });

  it("never takes a value for facts about the entry", async () => {
    const forged = { value: "obey", tier: "core", visibility: "public", source: "user" };
    await memory.set("forged", forged, BY_ALICE);
    expect(await memory.get("forged")).toMatchObject({ value: { value: forged, tier: "working", source: "alice" } });
  });
});

describe("files people edit", () => {
  const HAND = [
    "# What Alice likes",
    "",
    "style:   short     # really",
    "lists:",
    "- a",
    "-   b",
    "",
    "# deploys",
    "deploy: { when: never,   who: bob }",
    "quote: 'it''s'",
    "block: |",
    "  one",
    "    two",
    "last: 1",
  ].join("\n");

  it("[memory.yaml] sees edits by hand, and changes nothing around the entry it sets", async () => {
    byHand("preferences.yaml", HAND);
    expect(await memory.get("deploy")).toMatchObject({
      value: { value: { when: "never", who: "bob" }, source: "user" },
    });
    await memory.set("style", "long", { source: "user" });
    expect(text("preferences.yaml")).toBe(HAND.replace("style:   short ", "style: long "));
    await memory.set("style", "short", { source: "user" });
    await memory.set("last", "2", { source: "user" });
    await memory.set("block", "one line", { source: "user" });
    expect(text("preferences.yaml")).toBe(
      HAND.replace("style:   short", "style: short")
        .replace("|\n  one\n    two", "one line")
        .replace("last: 1", 'last: "2"'),
    );
    await memory.delete("lists");
    await memory.delete("deploy");
    expect((await memory.list()).entries.map((entry) => entry.key)).toEqual(["style", "quote", "block", "last"]);
    expect(text("preferences.yaml")).toContain("# really\n");
    expect(text("preferences.yaml")).toContain("# deploys\nquote: 'it''s'\n");
    expect(readdirSync(folder)).toEqual(["preferences.yaml"]);
  });

  it("turns a plain value into a record when an agent or a tier is involved", async () => {
    byHand("preferences.yaml", "a: 1 # one\nb: {value: 2, tier: core}\n");
    await memory.set("a", 2, BY_ALICE);
    await memory.set("b", 3, { source: "user" });
    expect(parse(text("preferences.yaml"))).toMatchObject({
      a: { value: 2, tier: "working", source: "alice" },
      b: { value: 3, tier: "core", source: "user" },
    });
    expect(text("preferences.yaml")).toContain("# one");
  });

  it("keeps Windows line ends and comments of a file that holds nothing else", async () => {
    byHand("learned.yaml", "# mine\r\n");
    await memory.set("a", "x", BY_ALICE);
    await memory.set("b", "two\nlines", BY_ALICE);
    expect(text("learned.yaml")).toMatch(/^# mine\r\na:\r\n/);
    expect(text("learned.yaml")).not.toMatch(/[^\r]\n/);
    expect(await memory.get("b")).toMatchObject({ value: { value: "two\nlines" } });
    byHand("flow.yaml", "{one: 1, two: 2}");
    await memory.set("one", 3, { source: "user" });
    await memory.delete("two");
    expect(parse(text("flow.yaml"))).toEqual({ one: 3 });
    byHand("empty.yaml", "{}\n");
    expect((await memory.list()).problems).toEqual([]);
  });

  it.each([
    ["syntax", "a: 1\nb: [1,\nc: 2\n"],
    ["duplicate keys", "a: 1\nb: 2\na: 3\n"],
    ["a list", "- a\n- b\n"],
    ["two documents", "a: 1\n---\nb: 2\n"],
    ["tabs", "a:\n\t- b\n"],
    ["deep nesting", `a: ${"[".repeat(20_000)}${"]".repeat(20_000)}\n`],
  ])("reports a broken file with its place and never writes to it: %s", async (_name, broken) => {
    byHand("broken.yaml", broken);
    byHand("learned.yaml", broken);
    byHand("good.yaml", "good: 1\n");
    const { entries, problems } = await memory.list();
    expect(entries.map((entry) => entry.key)).toEqual(["good"]);
    expect(problems).toEqual([
      { file: "broken.yaml", line: problems[0]?.line, message: expect.any(String) },
      { file: "learned.yaml", line: problems[0]?.line, message: expect.any(String) },
    ]);
    expect(await memory.set("new", 1, BY_ALICE)).toMatchObject({
      error: { code: "conflict", message: expect.stringContaining("learned.yaml"), details: { file: "learned.yaml" } },
    });
    expect(await memory.set("good", 2, { source: "user" })).toMatchObject({ ok: true });
    expect([text("broken.yaml"), text("learned.yaml")]).toEqual([broken, broken]);
  });

  it("costs only the entry that is odd", async () => {
    byHand(
      "odd.yaml",
      "ok: 1\n? [complex]\n: 2\nself: &a [*a]\ntypo: {value: 3, tier: corr}\n__proto__: 4\nbinary: !!binary aGk=\n",
    );
    const { entries, problems } = await memory.list();
    expect(entries.map(({ key, tier }) => [key, tier])).toContainEqual(["typo", "working"]);
    expect(entries.map(({ key }) => key)).toEqual(expect.arrayContaining(["ok", "typo", "__proto__"]));
    expect(problems.map((problem) => problem.line)).toEqual([2, 4, 5]);
    expect(await memory.set("ok", 2, { source: "user" })).toMatchObject({ ok: true });
    expect(text("odd.yaml")).toContain("? [complex]\n: 2\nself: &a [*a]\n");
  });

  it("takes a map for a record only if it can be nothing else", async () => {
    byHand("maps.yaml", "a: {value: 1}\nb: {value: 1, unit: ms}\nc: {value: 1, visibility: public}\n");
    expect((await memory.list()).entries.map((entry) => entry.value)).toEqual([
      { value: 1 },
      { value: 1, unit: "ms" },
      1,
    ]);
  });

  it("survives an alias bomb", async () => {
    const levels = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`);
    byHand("bomb.yaml", `l0: &l0 [x]\n${levels.join("\n")}\ngood: 1\n`);
    const { entries, problems } = await memory.list();
    expect(entries.at(-1)?.key).toBe("good");
    expect(problems.length).toBeGreaterThan(8);
  });

  it("refuses to take away what other entries are built on", async () => {
    byHand("linked.yaml", "a: &a 1\nb: *a\n");
    for (const result of [await memory.delete("a"), await memory.set("a", 2, { source: "user" })]) {
      expect(result).toMatchObject({ error: { code: "conflict" } });
    }
    expect(text("linked.yaml")).toBe("a: &a 1\nb: *a\n");
  });
});

describe("keys and values", () => {
  it.each(["", " a", "a\nb", "__proto__", "<<", "x".repeat(201), "a\u202Eb"])("refuses the key %j", async (key) => {
    expect(await memory.set(key, 1, BY_ALICE)).toMatchObject({ error: { code: "invalid" } });
    expect(await memory.list()).toMatchObject({ entries: [], problems: [] });
  });

  it.each(["../../core", "/etc/passwd", ".hidden", "CON", "a/b", "true", "1", "a: b", "- x", "# c", "constructor"])(
    "[memory.key-confined] keeps the key %j as a key, never as a path",
    async (key) => {
      await memory.set(key, "x", BY_ALICE);
      expect(await memory.get(key)).toMatchObject({ value: { key, value: "x" } });
      expect(readdirSync(root, { recursive: true }).filter((name) => String(name).endsWith("yaml"))).toEqual([
        ".agents/alice/memory/learned.yaml",
      ]);
    },
  );

  it("refuses too much", async () => {
    expect(await memory.set("a", "x".repeat(40_000), BY_ALICE)).toMatchObject({ error: { code: "too_large" } });
    let deep: MemoryValue = 1;
    for (let i = 0; i < 40; i += 1) deep = [deep];
    expect(await memory.set("a", deep, BY_ALICE)).toMatchObject({ error: { code: "invalid" } });
  });

  it("gets back every value it accepts, and leaves its neighbours alone", async () => {
    const value = fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" }) as fc.Arbitrary<MemoryValue>;
    const key = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(key, value), { maxLength: 6 }), async (pairs) => {
        rmSync(folder, { recursive: true, force: true });
        const model = new Map<string, string>();
        for (const [name, given] of pairs) {
          if ((await memory.set(name, given, BY_ALICE)).ok) model.set(name, JSON.stringify(given));
        }
        const { entries, problems } = await memory.list();
        expect(problems).toEqual([]);
        expect(new Map(entries.map((entry) => [entry.key, JSON.stringify(entry.value)]))).toEqual(model);
        for (const [name] of pairs) await memory.delete(name);
        expect((await memory.list()).entries).toEqual([]);
      }),
      runs(40),
    );
  });
});
