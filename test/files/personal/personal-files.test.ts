import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPersonalFiles } from "../../../src/files/personal/personal-files.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import type { PersonalContext } from "../../../src/ports/personal-context.ts";

let base: string;
let root: string;
let outside: string;
let context: PersonalContext;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "personal-")));
  root = join(base, "project");
  outside = join(base, "outside");
  mkdirSync(root);
  mkdirSync(outside);
  context = open(".agents/alice/");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function open(dir: string): PersonalContext {
  const created = createPersonalFiles({ root, dir, clock: systemClock, newId: () => "m" });
  if (!created.ok) throw new Error(created.error.message);
  return created.value;
}

const DAY = Date.UTC(2026, 1, 26);
const writes: readonly [string, (context: PersonalContext) => Promise<{ readonly ok: boolean }>][] = [
  ["memory", ({ memory }) => memory.set("key", "value", { source: "alice" })],
  ["notes", ({ notes }) => notes.add("text")],
  ["conversations", ({ conversations }) => conversations.append([{ sender: "user", text: "hi", at: DAY }], null)],
  ["todo", ({ todo }) => todo.add("text")],
];

describe("the folder of an agent", () => {
  it("[agent.context-dir] [agent.context-folders] is where it is told to be, each part made when first needed", async () => {
    const folder = join(root, "team/alice");
    const other = open("./team/alice/");
    expect((await other.memory.list()).entries).toEqual([]);
    expect(await other.notes.list()).toEqual({ ok: true, value: [] });
    expect(await other.conversations.recent(3)).toEqual({ ok: true, value: [] });
    expect(existsSync(folder)).toBe(false);
    for (const [index, [name, write]] of writes.entries()) {
      expect(await write(other)).toMatchObject({ ok: true });
      expect(readdirSync(folder)).toHaveLength(index + 1);
      expect(readdirSync(join(folder, name))).toHaveLength(1);
    }
    expect(existsSync(join(root, ".agents"))).toBe(false);
  });

  it.each(["../alice", "/tmp/alice", "", ".", "a/../../b", "a\0b"])("[agent.context-dir] cannot be %j", (dir) => {
    expect(createPersonalFiles({ root, dir, clock: systemClock, newId: () => "m" })).toMatchObject({
      ok: false,
      error: { code: "invalid" },
    });
  });

  it.each(writes)("is not left through links in place of it or of its %s folder", async (name, write) => {
    mkdirSync(join(root, ".agents/alice"), { recursive: true });
    symlinkSync(outside, join(root, ".agents/alice", name));
    symlinkSync(outside, join(root, ".agents/eve"));
    for (const dir of [".agents/alice", ".agents/eve"]) {
      expect(await write(open(dir))).toMatchObject({ ok: false, error: { code: "forbidden" } });
    }
    expect(readdirSync(outside)).toEqual([]);
  });

  it("says so when it is a link, instead of looking empty", async () => {
    mkdirSync(join(root, ".agents"));
    symlinkSync(outside, join(root, ".agents/alice"));
    const { memory, notes, conversations, todo } = context;
    const refused = { ok: false, error: { code: "forbidden" } };
    for (const read of [
      notes.list(),
      notes.read("a.md"),
      conversations.recent(1),
      conversations.read("2026-02-26"),
      todo.list(),
    ]) {
      expect(await read).toMatchObject(refused);
    }
    expect((await memory.list()).problems).toMatchObject([{ file: ".", message: expect.stringContaining("link") }]);
  });

  it.each([
    ["memory", "learned.yaml"],
    ["conversations", "2026-02-26.md"],
    ["todo", "index.md"],
  ])("refuses links, second names and pipes in place of its files: %s/%s", async (name, file) => {
    const write = new Map(writes).get(name);
    const path = join(root, ".agents/alice", name, file);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(join(outside, "target"), "");
    const plant = [
      () => symlinkSync(join(outside, "target"), path),
      () => linkSync(join(outside, "target"), path),
      () => void spawnSync("mkfifo", [path]),
    ];
    for (const planted of plant) {
      planted();
      expect(await write?.(context)).toMatchObject({ ok: false, error: { code: "forbidden" } });
      expect((await context.memory.list()).entries).toEqual([]);
      expect(await context.conversations.recent(5)).toEqual({ ok: true, value: [] });
      rmSync(path);
    }
    expect(readFileSync(join(outside, "target"), "utf8")).toBe("");
    expect(await write?.(context)).toMatchObject({ ok: true });
  });

  it("does not wait for a pipe planted in place of its lock", async () => {
    mkdirSync(join(root, ".agents/alice/todo"), { recursive: true });
    spawnSync("mkfifo", [join(root, ".agents/alice/todo/.lock")]);
    let now = 0;
    const clock = { ...systemClock, monotonic: () => (now += 100), sleep: async () => undefined };
    const created = createPersonalFiles({ root, dir: ".agents/alice", clock, newId: () => "m" });
    expect(created.ok && (await created.value.todo.add("x")).ok).toBe(true);
  });
});

describe("several writers", () => {
  const ROUNDS = 8;
  const script = (who: string): string => `
    import { createPersonalFiles } from ${JSON.stringify(join(import.meta.dirname, "../../../src/files/personal/personal-files.ts"))};
    import { systemClock } from ${JSON.stringify(join(import.meta.dirname, "../../../src/kernel/clock.ts"))};
    setInterval(() => {}, 1000);
    const created = createPersonalFiles({ root: ${JSON.stringify(root)}, dir: ".agents/alice", clock: systemClock, newId: () => "m" });
    const { memory, notes, conversations, todo } = created.value;
    for (let i = 0; i < ${ROUNDS}; i += 1) {
      const all = await Promise.all([
        memory.set("${who}-" + i, i, { source: "${who}" }),
        notes.add("same text"),
        conversations.append([{ sender: "${who}", text: "message " + i, at: ${DAY} }], null),
        todo.add("${who} " + i),
      ]);
      if (all.some((result) => !result.ok)) throw new Error(JSON.stringify(all));
    }
    process.exit(0);`;

  it("lose nothing of each other, and nothing of a person's", async () => {
    mkdirSync(join(root, ".agents/alice/todo"), { recursive: true });
    writeFileSync(join(root, ".agents/alice/todo/index.md"), "# Mine\n");
    const exits = ["a", "b"].map((who) =>
      once(spawn(process.execPath, ["--input-type=module", "-e", script(who)], { stdio: "inherit" }), "exit"),
    );
    for (let i = 0; i < ROUNDS; i += 1) await context.todo.add(`own ${i}`);
    expect((await Promise.all(exits)).map(([code]: unknown[]) => code)).toEqual([0, 0]);

    const todos = await context.todo.list();
    expect(todos.ok && todos.value.length).toBe(3 * ROUNDS);
    expect(readFileSync(join(root, ".agents/alice/todo/index.md"), "utf8").startsWith("# Mine\n- [ ] ")).toBe(true);
    expect((await context.memory.list()).entries).toHaveLength(2 * ROUNDS);
    const notes = await context.notes.list(1000);
    expect(notes.ok && notes.value.length).toBe(2 * ROUNDS);
    const said = await context.conversations.read("2026-02-26");
    for (const who of ["a", "b"]) {
      const own = said.ok ? said.value.filter((entry) => entry.sender === who) : [];
      expect(own.map((entry) => entry.text)).toEqual(Array.from({ length: ROUNDS }, (_, i) => `message ${i}`));
    }
    const hidden = readdirSync(join(root, ".agents"), { recursive: true }).filter((name) => /\/\./.test(String(name)));
    expect(hidden).toEqual([]);
  });

  it("an edit by an editor that knows no lock is taken up, not overwritten", async () => {
    await context.todo.add("first");
    const file = join(root, ".agents/alice/todo/index.md");
    const adding = Array.from({ length: 20 }, (_, i) => context.todo.add(`added ${i}`));
    const edited = `${readFileSync(file, "utf8")}- [ ] by hand\n`;
    writeFileSync(file, edited);
    await Promise.all(adding);
    const todos = await context.todo.list();
    expect(todos.ok ? todos.value.map((item) => item.text) : []).toEqual(
      expect.arrayContaining(["by hand", "added 19"]),
    );
  });
});
