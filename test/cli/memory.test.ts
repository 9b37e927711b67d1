import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { agentFile, TEAM } from "../support/team/team.ts";

const LONG_AGO = "2020-03-01T10:00:00.000Z";
const words = (n: number): string => Array.from({ length: 40 }, (_, i) => `word${n}x${i}`).join(" ");
const entry = (n: number, updated: string): string =>
  `fact-${n}: { value: "${words(n)}", tier: working, visibility: private, source: alice, created: "${updated}", updated: "${updated}", id: mem_${n} }\n`;

const SCRIPT = `
- when: learn
  steps:
    - { call: { tool: memory_store, args: { content: Releases wait for Maria, key: release } } }
    - { call: { tool: note_add, args: { text: Slow down before a release., title: Lesson } } }
    - { call: { tool: todo_add, args: { text: write the changelog } } }
    - { say: Learned. }
- when: ask bob
  steps:
    - { call: { tool: ask_agent, args: { agent: bob, query: how are deployments done } } }
    - { say: Asked. }
`;

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({
    files: {
      ...TEAM,
      ...agentFile("alice", "model: scripts/alice.yaml\n"),
      "scripts/alice.yaml": SCRIPT,
      ".agents/bob/memory/known.yaml":
        'pipeline: { value: "Deployments go through the blue pipeline.", tier: working, visibility: shareable }\n',
      ".agents/carol/memory/learned.yaml": [
        ...Array.from({ length: 40 }, (_, n) => entry(n, LONG_AGO)),
        entry(99, "2999-01-01T00:00:00.000Z"),
        `by-hand: ${words(77)}\n`,
      ].join(""),
      ...Object.fromEntries(
        Array.from({ length: 10 }, (_, day) => [
          `.agents/carol/conversations/2020-01-${10 + day}.md`,
          `### 10:00:00 [user]\nThe lighthouse of day ${day} is white.\n\n`,
        ]),
      ),
    },
  });
});
afterAll(async () => daemon[Symbol.asyncDispose]());

describe("agent-worker agent memory", () => {
  it("[memory.search-cli] [guard.no-model] searches by a question, the best first, with where it comes from", async () => {
    await daemon.run(["send", "alice", "please learn", "--wait"]);
    const found = await daemon.json(["agent", "memory", "alice", "search", "who has to be waited for at a release?"]);
    expect(found).toMatchObject({
      entries: [
        { kind: "memory", key: "release", value: "Releases wait for Maria", source: "alice", outside: false },
        { kind: "note", value: expect.stringContaining("Slow down before a release.") },
      ],
    });
    expect(await daemon.run(["agent", "memory", "alice", "search", "release"])).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/KIND.*\nmemory +release/),
    });
    expect(await daemon.run(["agent", "memory", "alice", "search", "submarine"])).toMatchObject({
      out: "alice remembers nothing of it.\n",
    });
  });

  it("[memory.index-derived] answers the same after the index was deleted", async () => {
    const search = () => daemon.json(["agent", "memory", "bob", "search", "deployment"]);
    const before = await search();
    const folder = join(daemon.project, ".workspace/index");
    expect(existsSync(folder)).toBe(true);
    rmSync(folder, { recursive: true });
    expect(await search()).toEqual(before);
  });

  it("says how to replace a memory, and marks one that was replaced [memory.replaced-shown]", async () => {
    const memory = async (...args: string[]) => {
      const ran = await daemon.run(["agent", "memory", "bob", ...args]);
      expect(ran, args.join(" ")).toMatchObject({ exit: 0 });
      return ran;
    };
    await memory("set", "day1", "The deploy day of the shop is Tuesday");
    const { out } = await memory("set", "day2", "The deploy day of the shop is Wednesday");
    const advice = /agent-worker agent memory bob (set day2 TEXT --replaces day1)$/m.exec(out)?.[1] ?? "";
    expect(advice).not.toBe("");
    // What it says is done as it is written, with the same text.
    const words = advice.split(" ").map((word) => (word === "TEXT" ? "The deploy day of the shop is Wednesday" : word));
    expect((await memory(...words)).out).toContain("It replaces day1.");
    const { entries } = (await daemon.json(["agent", "memory", "bob"])) as { entries: { key: string }[] };
    expect(entries.filter(({ key }) => key.startsWith("day")).map(({ key }) => key)).toEqual(["day1", "day2"]);
    const old = await memory("get", "day1");
    expect(old.out).toBe("The deploy day of the shop is Tuesday\n");
    expect(old.err).toMatch(/^day1 is no longer true, replaced \d{4}-\d\d-\d\d by day2:\n$/);
    expect(await memory("get", "day2")).toMatchObject({ err: "" });
  });

  it("promotes what an agent wrote", async () => {
    const args = ["agent", "memory", "alice", "promote", "release"];
    expect(await daemon.run(args)).toMatchObject({
      exit: 2,
      err: expect.stringContaining("Give a tier (--tier core)"),
    });
    expect(await daemon.json([...args, "--visibility", "shareable"])).toMatchObject({
      entry: { visibility: "shareable", source: "user", origin: { by: "alice" } },
    });
    expect(await daemon.contextFile(".agents/alice/memory/learned.yaml")).toContain("by: alice");
  });

  it("[memory.ask-audit] shows who asked what", async () => {
    expect(await daemon.run(["agent", "memory", "bob", "asked"])).toMatchObject({ out: "Nobody asked about bob.\n" });
    await daemon.run(["send", "alice", "now ask bob", "--wait"]);
    expect(await daemon.json(["agent", "memory", "bob", "asked"])).toMatchObject({
      questions: [{ asker: "alice", query: "how are deployments done", shared: 1, space: "alice" }],
    });
  });

  it("[memory.archive] [memory.tiers] archives what is old and unused when there is too much, and still finds it", async () => {
    const archived = (await daemon.json(["agent", "memory", "carol", "archive"])) as {
      entries: string[];
      conversations: string[];
    };
    expect(archived.entries.length).toBeGreaterThan(5);
    expect(archived.entries.length).toBeLessThan(40);
    expect(archived.entries).not.toContain("fact-99");
    expect(archived.entries).not.toContain("by-hand");
    expect(archived.conversations).toEqual(["archive/2020-01-10.md", "archive/2020-01-11.md", "archive/2020-01-12.md"]);
    expect(await daemon.contextFile(".agents/carol/conversations/archive/2020-01-10.md")).toContain("lighthouse");
    expect(await daemon.json(["agent", "memory", "carol", "archive"])).toMatchObject({
      entries: [],
      conversations: [],
    });

    const [first = ""] = archived.entries;
    const number = first.replace("fact-", "");
    expect(await daemon.json(["agent", "memory", "carol", "get", first])).toMatchObject({
      entry: { tier: "archive", updated: LONG_AGO, source: "alice" },
    });
    expect(await daemon.json(["agent", "memory", "carol", "search", `word${number}x3`])).toMatchObject({
      entries: [{ key: first, tier: "archive" }],
    });
    expect(await daemon.json(["agent", "memory", "carol", "search", "the white lighthouse of day 0"])).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining({ file: "conversations/archive/2020-01-10.md" })]),
    });
  });
});

describe("agent-worker runs", () => {
  it("[guard.receipt] shows what a run was given and what was left out", async () => {
    await daemon.run(["send", "carol", "What about word5x7?", "--wait"]);
    const { runs } = (await daemon.json(["runs", "list", "carol"])) as { runs: { id: string; outcome: string }[] };
    expect(runs).toMatchObject([{ agent: "carol", outcome: "answered", lane: "immediate", space: "carol" }]);
    const id = runs[0]?.id ?? "";
    const run = await daemon.json(["runs", "show", id]);
    expect(run).toMatchObject({
      id,
      receipt: {
        heard: ["user"],
        parts: expect.arrayContaining([
          expect.objectContaining({ part: "working memory", place: "prompt", names: expect.any(Array) }),
          expect.objectContaining({ part: "inbox", items: 1 }),
        ]),
      },
    });
    const shown = await daemon.run(["runs", "show", id]);
    expect(shown.out).toMatch(/working memory, \d+ tokens: /);
    expect(shown.out).toMatch(/left out, archived: \d+ \(fact-/);
    expect(await daemon.run(["runs", "show", "run_nope"])).toMatchObject({ exit: 3 });
    expect(await daemon.json(["runs", "list", "@review"])).toEqual({ runs: [] });
    expect((await daemon.run(["runs", "list"])).out).toContain(id);
  });
});
