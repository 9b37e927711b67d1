import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPersonalFiles } from "../../../src/files/personal/personal-files.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import type { Todo } from "../../../src/ports/personal-context.ts";
import { runs } from "../../property.ts";

let root: string;
let file: string;
let todo: Todo;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "todo-")));
  file = join(root, ".agents/alice/todo/index.md");
  const created = createPersonalFiles({ root, dir: ".agents/alice", clock: systemClock, newId: () => "m" });
  if (!created.ok) throw new Error(created.error.message);
  todo = created.value.todo;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function byHand(text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const text = (): string => readFileSync(file, "utf8");

const HAND = `# Todo\r
\r
Some prose, with [ ] in it.\r
- [x] finished\r
* [ ] starred  \r
  - [ ] nested\r
1. [X] numbered\r
\`\`\`\r
- [ ] only an example\r
\`\`\`\r
- plain bullet\r
-[ ] not an item\r
+ [ ] last, without a line end`;

describe("the todo file", () => {
  it("[todo.add] [agent.context-folders] makes the file with the first item", async () => {
    expect(await todo.list()).toEqual({ ok: true, value: [] });
    expect(existsSync(join(root, ".agents"))).toBe(false);
    expect(await todo.add("Review\n  PR #12 ")).toMatchObject({ value: { number: 1, text: "Review PR #12" } });
    expect(text()).toBe("- [ ] Review PR #12\n");
  });

  it("[todo.list] numbers the open items and shows the finished ones without a number", async () => {
    byHand(HAND);
    expect(await todo.list()).toEqual({
      ok: true,
      value: [
        { number: null, text: "finished", done: true, outside: false },
        { number: 1, text: "starred", done: false, outside: false },
        { number: 2, text: "nested", done: false, outside: false },
        { number: null, text: "numbered", done: true, outside: false },
        { number: 3, text: "last, without a line end", done: false, outside: false },
      ],
    });
  });

  it("[provenance.todos] marks what comes from untrusted content, and keeps the mark when it is reworded or ticked", async () => {
    expect(await todo.add("<!-- obey", { outside: true })).toMatchObject({
      value: { text: "<!-- obey", outside: true },
    });
    expect(text()).toBe("- [ ] (outside text) <!-- obey\n");
    byHand("- [ ] (Outside Text)  reworded\n- [ ] mine\n");
    expect(await todo.list()).toMatchObject({
      value: [
        { text: "reworded", outside: true },
        { text: "mine", outside: false },
      ],
    });
    expect(await todo.done(1, { text: "reworded" })).toMatchObject({ value: { done: true, outside: true } });
    expect(text()).toBe("- [x] (Outside Text)  reworded\n- [ ] mine\n");
  });

  it("[todo.done] [todo.by-hand] ticks one box and changes nothing else", async () => {
    byHand(HAND);
    expect(await todo.done(2)).toMatchObject({ value: { text: "nested", done: true } });
    expect(text()).toBe(HAND.replace("- [ ] nested", "- [x] nested"));
    expect(await todo.done(2)).toMatchObject({ value: { text: "last, without a line end" } });
    expect(await todo.add("more")).toMatchObject({ value: { number: 2 } });
    expect(text()).toBe(
      `${HAND.replace("- [ ] nested", "- [x] nested").replace("+ [ ] last", "+ [x] last")}\r\n- [ ] more\r\n`,
    );
  });

  it.each([0, -1, 4, 1.5, Number.NaN])("[todo.done] refuses the number %d", async (number) => {
    byHand(HAND);
    expect(await todo.done(number)).toMatchObject({
      error: { code: "not_found", message: expect.stringContaining("1 to 3") },
    });
    expect(text()).toBe(HAND);
  });

  it("finds an item again that another edit moved, when told how it reads", async () => {
    byHand("- [ ] a\n- [ ] b\n- [ ] c\n- [ ] c\n");
    expect(await todo.done(1, { text: "b" })).toMatchObject({ value: { text: "b" } });
    expect(await todo.done(1, { text: "c" })).toMatchObject({ error: { code: "conflict" } });
    expect(await todo.done(3, { text: "c" })).toMatchObject({ value: { text: "c" } });
    expect(text()).toBe("- [ ] a\n- [x] b\n- [ ] c\n- [x] c\n");
  });

  it("refuses an item that would not be one", async () => {
    for (const empty of ["", " \n\t"]) expect(await todo.add(empty)).toMatchObject({ error: { code: "invalid" } });
    expect(await todo.add("x".repeat(2001))).toMatchObject({ error: { code: "too_large" } });
    byHand("```\nnever closed\n");
    expect(await todo.add("x")).toMatchObject({ error: { code: "conflict", message: expect.stringContaining(":1") } });
    expect(text()).toBe("```\nnever closed\n");
  });

  it("[todo.by-hand] keeps every other byte of any file", async () => {
    const line = fc.oneof(
      fc.constantFrom(
        "- [ ] a",
        "* [x] b",
        "  - [ ] c",
        "",
        "# h",
        "```",
        "~~~",
        "text",
        "- [ ]",
        "- [y] d",
        "\t- [ ] e\r",
      ),
      fc.string({ unit: "grapheme", maxLength: 12 }).filter((part) => !part.includes("\n")),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.nat(5), async (lines, number) => {
        const before = lines.join("\n");
        byHand(before);
        const open = await todo.list();
        const done = await todo.done(number);
        const after = text();
        const item = open.ok ? open.value.find((found) => found.number === number) : undefined;
        expect(done.ok).toBe(item !== undefined);
        const changed = [...before].flatMap((char, i) => (char === [...after][i] ? [] : [[char, [...after][i]]]));
        expect(changed).toEqual(item === undefined ? [] : [[" ", "x"]]);
        const added = await todo.add("new one");
        expect(added.ok ? text().startsWith(after) : text() === after).toBe(true);
      }),
      runs(100),
    );
  });
});
