import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import type { MemoryIndex } from "../../../src/ports/memory-index.ts";
import type { PersonalText } from "../../../src/ports/personal-context.ts";
import { openMemoryIndex } from "../../../src/storage/sqlite/memory-index/memory-index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
let index: MemoryIndex;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, "index", "memory.db");
  index = openMemoryIndex(file, systemClock);
});
afterEach(() => {
  index[Symbol.dispose]();
  folder[Symbol.dispose]();
});

const NOW = Date.UTC(2026, 5, 1);

function text(words: string, more: Partial<PersonalText> = {}): PersonalText {
  return {
    kind: "memory",
    key: "k",
    text: words,
    tier: "working",
    visibility: "private",
    source: "alice",
    outside: false,
    origin: null,
    id: null,
    at: NOW,
    ...more,
  };
}

async function find(question: string, agent = "alice", limit = 10): Promise<string[] | null> {
  const found = await index.search(agent, question, { limit, now: NOW });
  return found && found.map((each) => each.text);
}

describe("searching", () => {
  it("finds by what a text is about, the best first, whatever its form", async () => {
    await index.put("alice", "memory/a.yaml", "1", [
      text("The staging cluster is rebuilt every night."),
      text("Deployments of billing wait for Maria's approval."),
      text("Maria likes tea."),
    ]);
    expect(await find("Who has to approve when billing is deployed?")).toEqual([
      "Deployments of billing wait for Maria's approval.",
    ]);
    expect(await find("maria")).toHaveLength(2);
    expect(await find("what is it about?")).toEqual([]);
  });

  it("finds nothing of another agent, and nothing for an agent it does not know", async () => {
    await index.put("alice", "memory/a.yaml", "1", [text("The key is under the mat.")]);
    await index.put("bob", "memory/a.yaml", "1", [text("The harbour is closed.")]);
    expect(await find("key mat", "bob")).toEqual([]);
    expect(await find("key mat", "carol")).toEqual([]);
    expect(await find('key mat OR 1x* " NEAR(', "alice")).toHaveLength(1);
  });

  it("prefers the newer and the surer of two that answer alike", async () => {
    const old = NOW - 300 * 86_400_000;
    await index.put("alice", "memory/a.yaml", "1", [
      text("The release day is Tuesday", { at: old }),
      text("The release day is Monday"),
      text("The release day is Sunday", { outside: true, tier: "archive" }),
    ]);
    expect(await find("release day")).toEqual([
      "The release day is Monday",
      "The release day is Sunday",
      "The release day is Tuesday",
    ]);
  });

  it("finds the answer beside the question it was given to", async () => {
    const said = (words: string, source: string) => text(words, { kind: "conversation", tier: "archive", source });
    await index.put("alice", "conversations/2026-05-01.md", "1", [
      said("What should we order for Pierre's farewell dinner?", "user"),
      said("Goulash, that was agreed.", "alice"),
      said("Fine.", "user"),
    ]);
    expect((await find("what food was ordered for the farewell of Pierre", "alice", 2))?.toSorted()).toEqual([
      "Goulash, that was agreed.",
      "What should we order for Pierre's farewell dinner?",
    ]);
  });

  it("answers a question of common words from the newest that hold them, not from everything", async () => {
    const many = Array.from({ length: 3000 }, (_, i) => text(`The team met about topic${i}.`));
    await index.put("alice", "memory/a.yaml", "1", many);
    expect(await find("team")).toHaveLength(10);
    expect(await find("team topic2345", "alice", 1)).toEqual(["The team met about topic2345."]);
  });

  it("looks only into the tier that is wanted", async () => {
    const working = Array.from({ length: 200 }, (_, i) => text(`apples and pears ${i}`));
    await index.put("alice", "memory/a.yaml", "1", [text("apples of old", { tier: "archive" }), ...working]);
    const found = await index.search("alice", "apples", { limit: 5, now: NOW, tier: "archive" });
    expect(found?.map((each) => each.text)).toEqual(["apples of old"]);
  });
});

describe("what it holds", () => {
  it("is exactly what was put in last, file by file", async () => {
    await index.put("alice", "memory/a.yaml", "1", [text("red apples"), text("green pears")]);
    await index.put("alice", "memory/b.yaml", "1", [text("blue plums")]);
    await index.put("alice", "memory/a.yaml", "2", [text("green pears"), text("yellow lemons"), text("green pears")]);
    expect(await find("apples")).toEqual([]);
    expect(await find("pears")).toHaveLength(2);
    expect(await find("plums lemons")).toHaveLength(2);
    expect(index.stamps("alice")).toEqual(
      new Map([
        ["memory/a.yaml", "2"],
        ["memory/b.yaml", "1"],
      ]),
    );
    await index.drop("alice", "memory/b.yaml");
    expect(await find("plums")).toEqual([]);
    expect([...index.stamps("alice").keys()]).toEqual(["memory/a.yaml"]);
  });

  it("[memory.forget] leaves no byte of what was taken out", async () => {
    await index.put("alice", "memory/a.yaml", "1", [text("the xylophone is hidden"), text("green pears")]);
    await index.put("alice", "memory/a.yaml", "2", [text("green pears")]);
    index[Symbol.dispose]();
    index = openMemoryIndex(file, systemClock);
    expect(index.stamps("alice").size).toBe(1);
    expect(readFileSync(file).includes("xylophon")).toBe(false);
  });

  it("[memory.index-derived] is asked for again after the file was deleted under it", async () => {
    await index.put("alice", "memory/a.yaml", "1", [text("green pears")]);
    rmSync(join(folder.path, "index"), { recursive: true });
    expect(index.stamps("alice")).toEqual(new Map());
    await index.put("alice", "memory/a.yaml", "1", [text("green pears")]);
    expect(await find("pears")).toEqual(["green pears"]);
  });

  it.each([
    ["none of its own", () => Buffer.from("this is no database at all, but long enough to be looked at".repeat(200))],
    ["damaged", () => Buffer.concat([readFileSync(file).subarray(0, 4096), Buffer.alloc(60_000, 7)])],
  ])("[memory.index-derived] is made anew when the file is %s", async (_what, damage) => {
    await index.put("alice", "memory/a.yaml", "1", [text("green pears"), text("red apples")]);
    index[Symbol.dispose]();
    writeFileSync(file, damage());
    rmSync(`${file}-wal`, { force: true });
    index = openMemoryIndex(file, systemClock);
    const first = await find("pears");
    expect(first === null || first.length === 0).toBe(true);
    expect(index.stamps("alice")).toEqual(new Map());
    await index.put("alice", "memory/a.yaml", "1", [text("green pears")]);
    expect(await find("pears")).toEqual(["green pears"]);
  });
});

describe("a text where it stands", () => {
  const turn = (sender: string, words: string, at: number): PersonalText =>
    text(words, { kind: "conversation", key: "k", tier: "archive", source: sender, at });
  const DAY = Date.UTC(2026, 4, 8, 10);

  it("[recall.context] finds an answer without a word of the question, and prefers whoever the question names", async () => {
    await index.put("alice", "conversations/2026-05-08.md", "1", [
      turn("Maria", "Where did you grow up, by the way?", DAY),
      turn("Jonas", "Near the harbour in Cork.", DAY),
      turn("Maria", "Lovely.", DAY),
    ]);
    await index.put("alice", "conversations/2026-05-20.md", "1", [
      turn("Maria", "I want to grow tomatoes.", DAY + 1e9),
    ]);
    const found = await index.search("alice", "In which place was Jonas growing up?", { limit: 10, now: NOW });
    expect(found?.slice(0, 2).map((each) => each.text)).toContain("Near the harbour in Cork.");
    expect(found?.find((each) => each.text.includes("Cork"))?.why).toContain("said by whom you ask about");
  });

  it("[recall.dates] finds what was said on a day", async () => {
    await index.put("alice", "conversations/2026-05-08.md", "1", [turn("Maria", "We sold the boat.", DAY)]);
    await index.put("alice", "conversations/2026-05-20.md", "1", [turn("Maria", "We bought a tent.", DAY + 1e9)]);
    const found = await index.search("alice", "What did Maria say on 8 May?", { limit: 10, now: NOW });
    expect(found?.[0]).toMatchObject({ text: "We sold the boat.", why: expect.stringContaining("same day") });
  });

  it("[recall.never-a-hit] leaves out bare replies, the same question and what is being answered", async () => {
    await index.put("alice", "conversations/2026-05-08.md", "1", [
      turn("user", "Which harbour?", DAY),
      turn("alice", "ok thanks", DAY),
      turn("user", "Tell me about the harbour now", DAY + 5000),
      turn("alice", "The harbour is in Cork.", DAY),
    ]);
    const except = [{ text: "Tell me about the harbour now", at: DAY + 5400 }];
    const found = await index.search("alice", "Which harbour is it?", { limit: 10, now: NOW, except });
    expect(found?.map((each) => each.text)).toEqual(["The harbour is in Cork."]);
  });
});

describe("vectors", () => {
  const unit = (...values: number[]): Float32Array => Float32Array.from(values);

  it("[recall.embedding] find by meaning, belong to one model, and go with their text", async () => {
    await index.put("alice", "memory/a.yaml", "1", [text("The automobile is behind the barn."), text("Soup at noon.")]);
    const page = { after: 0, limit: 10 };
    const [car, soup] = index.withoutVector("alice", "p/one", page);
    expect(index.hasVectors("alice", "p/one")).toBe(false);
    await index.putVectors("alice", "p/one", [
      { id: car?.id ?? 0, vector: unit(1, 0, 0) },
      { id: soup?.id ?? 0, vector: unit(0, 1, 0) },
      { id: 4711, vector: unit(1, 1, 1) },
    ]);
    expect(index.hasVectors("alice", "p/one")).toBe(true);
    expect(index.withoutVector("alice", "p/one", page)).toEqual([]);
    const near = { model: "p/one", vector: unit(0.9, 0.1, 0) };
    const found = await index.search("alice", "where does my car stand?", { limit: 10, now: NOW, near });
    expect(found).toMatchObject([{ text: "The automobile is behind the barn.", why: "near by meaning" }]);
    expect(index.withoutVector("alice", "p/two", page)).toHaveLength(2);
    const other = { ...near, model: "p/two" };
    expect(await index.search("alice", "where does my car stand?", { limit: 10, now: NOW, near: other })).toEqual([]);
    expect(await index.search("bob", "where does my car stand?", { limit: 10, now: NOW, near })).toEqual([]);
    await index.put("alice", "memory/a.yaml", "2", [text("Soup at noon.")]);
    expect(await index.search("alice", "where does my car stand?", { limit: 10, now: NOW, near })).toEqual([]);
  });
});
