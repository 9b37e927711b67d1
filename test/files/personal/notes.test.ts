import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkFileName } from "../../../src/files/confined-path.ts";
import { createPersonalFiles } from "../../../src/files/personal/personal-files.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import type { NoteInfo, Notes } from "../../../src/ports/personal-context.ts";
import { runs } from "../../property.ts";

let root: string;
let folder: string;
let notes: Notes;
let now: number;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "notes-")));
  folder = join(root, ".agents/alice/notes");
  now = Date.UTC(2026, 1, 24, 23, 59, 59);
  const clock = { ...systemClock, now: () => now };
  const created = createPersonalFiles({ root, dir: ".agents/alice", clock, newId: () => "m" });
  if (!created.ok) throw new Error(created.error.message);
  notes = created.value.notes;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function listed(limit?: number): Promise<readonly NoteInfo[]> {
  const list = await notes.list(limit);
  return list.ok ? list.value : [];
}

describe("notes", () => {
  it("[note.add] writes one Markdown file named by day and text", async () => {
    expect(await notes.add("## Learned about: auth!\r\nTokens expire.")).toEqual({
      ok: true,
      value: {
        name: "2026-02-24-learned-about-auth.md",
        day: "2026-02-24",
        title: "Learned about: auth!",
        outside: true,
      },
    });
    expect(await notes.read("2026-02-24-learned-about-auth.md")).toEqual({
      ok: true,
      value: { content: "## Learned about: auth!\nTokens expire.\n", outside: true },
    });
    await notes.add("text", { title: "Ein Titel\nüber zwei Zeilen" });
    expect(readFileSync(join(folder, "2026-02-24-ein-titel-über-zwei-zeilen.md"), "utf8")).toBe(
      "# Ein Titel über zwei Zeilen\n\ntext\n",
    );
  });

  it("[note.same-slug] keeps both of two notes with one name, and a person's file as well", async () => {
    const added = [await notes.add("Same thing"), await notes.add("same: thing"), await notes.add("SAME THING")];
    expect(added.map((note) => (note.ok ? note.value.name : ""))).toEqual([
      "2026-02-24-same-thing.md",
      "2026-02-24-same-thing-2.md",
      "2026-02-24-same-thing-3.md",
    ]);
    writeFileSync(join(folder, "2026-02-24-Hello.md"), "by hand");
    expect(await notes.add("hello")).toMatchObject({ value: { name: "2026-02-24-hello-2.md" } });
    expect(readFileSync(join(folder, "2026-02-24-same-thing-2.md"), "utf8")).toBe("same: thing\n");
  });

  it("[note.list] lists newest first, up to a limit, undated files last", async () => {
    expect(await listed()).toEqual([]);
    await notes.add("b first");
    await notes.add("a second");
    utimesSync(join(folder, "2026-02-24-b-first.md"), 1, 1);
    now += 2000;
    await notes.add("c third");
    writeFileSync(join(folder, "ideas.md"), "\n# Ideas\n");
    writeFileSync(join(folder, "other.txt"), "no note");
    expect((await listed()).map((note) => [note.day, note.title])).toEqual([
      ["2026-02-25", "c third"],
      ["2026-02-24", "a second"],
      ["2026-02-24", "b first"],
      [null, "Ideas"],
    ]);
    expect(await listed(1)).toHaveLength(1);
  });

  it("refuses an empty note, an endless one, and a name that leads elsewhere", async () => {
    expect(await notes.add(" \n")).toMatchObject({ error: { code: "invalid" } });
    expect(await notes.add("x".repeat(300_000))).toMatchObject({ error: { code: "too_large" } });
    writeFileSync(join(root, "secret.md"), "secret");
    for (const name of ["../../../secret.md", "/etc/passwd", ".lock", "a/b.md"]) {
      expect(await notes.read(name)).toMatchObject({ error: { code: "invalid" } });
    }
    expect(await notes.read("none.md")).toMatchObject({ error: { code: "not_found" } });
  });

  it("[note.same-slug] makes a safe name in its own folder of any text", async () => {
    const hostile = fc.constantFrom(
      "../../etc/passwd",
      "CON",
      ".hidden",
      "\0",
      "a/b",
      "e\u0301",
      "日本語のメモ",
      "🙂",
      "x".repeat(500),
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 30 })), async (text) => {
        const added = await notes.add(text);
        expect(added.ok).toBe(text.trim() !== "");
        const name = added.ok ? added.value.name : "none";
        expect(checkFileName(name, { flat: true })).toEqual({ ok: true, value: name });
        expect((await notes.read(name)).ok).toBe(added.ok);
      }),
      runs(60),
    );
    expect(readdirSync(join(root, ".agents/alice"))).toEqual(["notes"]);
  });
});
