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
import { MAX_DOCUMENT_BYTES } from "../../../src/domain/workspace/document-size.ts";
import { createFileDocuments } from "../../../src/files/documents/file-documents.ts";
import { revisionOf } from "../../../src/files/documents/revision.ts";
import type { Refusal } from "../../../src/kernel/refusal.ts";
import type { Result } from "../../../src/kernel/result.ts";
import type { Documents, PublishTerms } from "../../../src/ports/documents.ts";

let base: string;
let folder: string;
let documents: Documents;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "documents-")));
  folder = join(base, "project/.workspace/review/main/documents");
  mkdirSync(join(base, "project"));
  documents = open();
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function open(): Documents {
  const created = createFileDocuments({ root: join(base, "project"), dir: "./.workspace/review/main/documents/" });
  if (!created.ok) throw new Error(created.error.message);
  return created.value;
}

async function write(
  file: string,
  content: string,
  terms?: PublishTerms,
): Promise<Result<{ readonly revision: string }, Refusal>> {
  const staged = await documents.stage(file, content);
  return staged.ok ? staged.value.publish(terms) : staged;
}

async function names(): Promise<string[]> {
  return (await documents.list()).map((document) => document.file);
}

function everyFile(dir: string = folder): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
}

describe("documents as files", () => {
  it("[document.list] [document.read] [document.provider-file] lists and reads what was written, by name", async () => {
    expect(await documents.list()).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    await write("notes.md", "one");
    await write("plans/week-1.md", "two");
    await write("a.md", "");
    expect(await names()).toEqual(["a.md", "notes.md", "plans/week-1.md"]);
    expect(await documents.read("notes.md")).toEqual({
      ok: true,
      value: { content: "one", revision: revisionOf("one") },
    });
    expect(readFileSync(join(folder, "plans/week-1.md"), "utf8")).toBe("two");
    const [first] = await documents.list();
    expect(first).toMatchObject({ file: "a.md", bytes: 0 });
  });

  it("[document.write] [document.last-revision] replaces the content and keeps the one before", async () => {
    await write("plans/a.md", "one");
    expect(await documents.readPrevious("plans/a.md")).toMatchObject({ error: { code: "not_found" } });
    await write("plans/a.md", "two");
    await write("plans/a.md", "three");
    await write("plans/a.md", "three");
    expect(await documents.read("plans/a.md")).toMatchObject({ value: { content: "three" } });
    expect(await documents.readPrevious("plans/a.md")).toMatchObject({ value: { content: "two" } });
    expect(await names()).toEqual(["plans/a.md"]);
    const [earlier, ...others] = everyFile();
    expect(earlier).toMatch(new RegExp(`^\\.history/plans/a\\.md/\\d{15}-${revisionOf("one")}$`));
    expect(others).toEqual([".previous/plans/a.md", "plans/a.md"]);
  });

  it("[document.history] lists the earlier revisions, newest first, and reads each of them", async () => {
    await write("a.md", "one");
    expect(await documents.history("a.md")).toEqual({ ok: true, value: [] });
    for (const text of ["two", "three", "four"]) await write("a.md", text);
    const history = await documents.history("a.md");
    expect(history).toMatchObject({
      value: [
        { revision: revisionOf("three"), bytes: 5 },
        { revision: revisionOf("two"), bytes: 3 },
        { revision: revisionOf("one"), bytes: 3 },
      ],
    });
    for (const text of ["one", "two", "three", "four"]) {
      expect(await documents.readRevision("a.md", revisionOf(text))).toMatchObject({ value: { content: text } });
    }
    expect(await documents.readRevision("a.md", revisionOf("five"))).toMatchObject({ error: { code: "not_found" } });
    expect(await documents.history("none.md")).toMatchObject({ error: { code: "not_found" } });
    expect(await documents.history("../a.md")).toMatchObject({ error: { code: "invalid" } });
  });

  it("[document.history] keeps the last fifty revisions", async () => {
    for (let i = 0; i < 60; i += 1) await write("a.md", `text ${i}`);
    const history = await documents.history("a.md");
    expect(history.ok && history.value.length).toBe(51);
    expect(await documents.readRevision("a.md", revisionOf("text 0"))).toMatchObject({ error: { code: "not_found" } });
  });

  it("[document.create] never replaces a document that must not exist", async () => {
    expect(await write("a.md", "mine", { mustNotExist: true })).toMatchObject({ ok: true });
    expect(await write("a.md", "yours", { mustNotExist: true })).toMatchObject({ error: { code: "conflict" } });
    expect(await documents.read("a.md")).toMatchObject({ value: { content: "mine" } });
    expect(everyFile()).toEqual(["a.md"]);
  });

  it("[document.revision-conflict] refuses a write on an outdated revision, and names the current one", async () => {
    await write("a.md", "one");
    expect(await write("a.md", "two", { expectRevision: revisionOf("one") })).toMatchObject({ ok: true });
    expect(await write("a.md", "late", { expectRevision: revisionOf("one") })).toMatchObject({
      error: { code: "stale_revision", details: { revision: revisionOf("two") } },
    });
    expect(await write("none.md", "x", { expectRevision: revisionOf("one") })).toMatchObject({
      error: { code: "stale_revision" },
    });
    expect(await documents.read("a.md")).toMatchObject({ value: { content: "two" } });
    expect(await names()).toEqual(["a.md"]);
  });

  it("[document.outside-edit] reads what another program wrote, and lets a stale writer know", async () => {
    await write("a.md", "one");
    writeFileSync(join(folder, "a.md"), "edited\r\n");
    writeFileSync(join(folder, "by-hand.md"), "hello");
    expect(await documents.read("a.md")).toMatchObject({ value: { content: "edited\r\n" } });
    expect(await names()).toEqual(["a.md", "by-hand.md"]);
    expect(await write("a.md", "two", { expectRevision: revisionOf("one") })).toMatchObject({
      error: { code: "stale_revision" },
    });
  });

  it("[document.missing] answers an unknown name with the names that exist", async () => {
    expect(await documents.read("plan.md")).toMatchObject({ error: { code: "not_found" } });
    await write("notes.md", "x");
    const read = await documents.read("plan.md");
    expect(read).toMatchObject({ error: { code: "not_found", message: expect.stringContaining("plan.md") } });
    expect(read).toMatchObject({ error: { hint: expect.stringContaining("notes.md") } });
  });

  it("refuses content beyond the limit and content that is not text", async () => {
    expect(await write("a.md", "x".repeat(MAX_DOCUMENT_BYTES))).toMatchObject({ ok: true });
    expect(await write("b.md", "é".repeat(MAX_DOCUMENT_BYTES / 2 + 1))).toMatchObject({ error: { code: "too_large" } });
    expect(await write("b.md", "half \uD800")).toMatchObject({ error: { code: "invalid" } });
    writeFileSync(join(folder, "big.md"), "x".repeat(MAX_DOCUMENT_BYTES + 1));
    expect(await documents.read("big.md")).toMatchObject({ error: { code: "too_large" } });
    expect(everyFile()).toEqual(["a.md", "big.md"]);
  });

  it("leaves nothing of a document that was discarded or refused", async () => {
    await write("a.md", "one");
    const staged = await documents.stage("a.md", "two");
    if (!staged.ok) throw new Error("not staged");
    expect(await names()).toEqual(["a.md"]);
    staged.value.discard();
    staged.value.discard();
    expect(() => staged.value.publish()).toThrow("before");
    expect(everyFile()).toEqual(["a.md"]);
    expect(await documents.read("a.md")).toMatchObject({ value: { content: "one" } });
  });

  it("holds no folder open after many reads, writes and refusals", async () => {
    await write("a.md", "0");
    const before = readdirSync("/proc/self/fd").length;
    for (let i = 1; i <= 50; i += 1) {
      await write("a.md", `${i}`);
      await write("a.md", "late", { expectRevision: "0" });
      await documents.read("a.md");
      await documents.read("none.md");
    }
    expect(readdirSync("/proc/self/fd").length).toBeLessThan(before + 20);
  });
});

describe("a crash", () => {
  it("[document.atomic] leaves the old or the new content, readable, whenever the writer is killed", async () => {
    const source = `
      import { createFileDocuments } from ${JSON.stringify(join(import.meta.dirname, "../../../src/files/documents/file-documents.ts"))};
      const created = createFileDocuments({ root: process.argv[1], dir: ".workspace/review/main/documents" });
      for (let i = 0; ; i += 1) {
        const staged = await created.value.stage("a.md", String(i % 10).repeat(20_000));
        staged.value.publish();
        if (i === 3) process.stdout.write("ready");
      }`;
    for (let round = 0; round < 6; round += 1) {
      const writer = spawn(process.execPath, ["--input-type=module", "-e", source, join(base, "project")]);
      await once(writer.stdout, "data");
      const during = await documents.read("a.md");
      writer.kill("SIGKILL");
      await once(writer, "exit");
      documents = open();
      const whole = /^(\d)\1{19999}$/;
      const after = [await documents.read("a.md"), await documents.readPrevious("a.md")];
      expect(after.map((read) => read.ok && whole.test(read.value.content))).toEqual([true, true]);
      // A reader of another process may be refused in the instant in which the old text has two names.
      expect(during.ok ? whole.test(during.value.content) : during.error.code === "forbidden").toBe(true);
      expect(everyFile().filter((path) => !path.startsWith(".history/"))).toEqual([".previous/a.md", "a.md"]);
    }
  });
});

describe("names and paths", () => {
  const hostile = [
    "../secret.md",
    "/etc/passwd",
    "a/../../secret.md",
    ".hidden",
    ".previous/a.md",
    "NUL.md",
    "a\0.md",
    "",
    "x".repeat(300),
  ];

  it.each(hostile)("[document.confined] refuses %j before touching the disk", async (name) => {
    writeFileSync(join(base, "project/secret.md"), "secret");
    for (const result of [await documents.read(name), await documents.readPrevious(name), await write(name, "x")]) {
      expect(result).toMatchObject({ ok: false, error: { code: "invalid" } });
    }
    expect(existsSync(folder)).toBe(false);
    expect(readFileSync(join(base, "project/secret.md"), "utf8")).toBe("secret");
  });

  it("[document.symlink] neither reads nor writes through a link, wherever it is on the way", async () => {
    mkdirSync(join(base, "outside"));
    writeFileSync(join(base, "outside/a.md"), "secret");
    await write("b.md", "x");
    symlinkSync(join(base, "outside/a.md"), join(folder, "soft.md"));
    symlinkSync(join(base, "outside"), join(folder, "out"));
    linkSync(join(base, "outside/a.md"), join(folder, "hard.md"));
    for (const name of ["soft.md", "out/a.md", "out/new.md", "hard.md"]) {
      expect(await documents.read(name)).toMatchObject({ ok: false });
      expect(await write(name, "changed")).toMatchObject({ ok: false, error: { code: "forbidden" } });
    }
    expect(await names()).toEqual(["b.md"]);
    symlinkSync(join(base, "outside"), join(folder, ".previous"));
    expect(await write("b.md", "y")).toMatchObject({ ok: false, error: { code: "forbidden" } });
    expect(everyFile(join(base, "outside"))).toEqual(["a.md"]);
    expect(readFileSync(join(base, "outside/a.md"), "utf8")).toBe("secret");
    expect(everyFile().filter((name) => name.includes(".staged"))).toEqual([]);
  });

  it("[document.symlink] refuses a documents folder that is a link itself", async () => {
    mkdirSync(join(base, "outside"));
    mkdirSync(join(folder, ".."), { recursive: true });
    symlinkSync(join(base, "outside"), folder);
    expect(await documents.read("a.md")).toMatchObject({ error: { code: "forbidden" } });
    expect(await write("a.md", "x")).toMatchObject({ error: { code: "forbidden" } });
    expect(readdirSync(join(base, "outside"))).toEqual([]);
  });

  it("[document.special-file] refuses a pipe and a folder at once", async () => {
    await write("dir/a.md", "x");
    expect(spawnSync("mkfifo", [join(folder, "pipe.md")]).status).toBe(0);
    for (const name of ["pipe.md", "dir"]) {
      expect(await documents.read(name)).toMatchObject({ error: { code: "forbidden" } });
      expect(await write(name, "x")).toMatchObject({ error: { code: "forbidden" } });
    }
    expect(await names()).toEqual(["dir/a.md"]);
  });

  it("refuses names that differ from another only by case or composition", async () => {
    await write("Plans/Week.md", "x");
    await write("\u00FCber.md", "x");
    for (const name of ["plans/week.md", "Plans/WEEK.md", "PLANS/other.md", "\u00DCBER.md"]) {
      expect(await write(name, "y")).toMatchObject({ error: { code: "conflict" } });
      expect(await documents.read(name)).toMatchObject({ error: { code: "not_found" } });
    }
    expect(await write("u\u0308ber.md", "same")).toMatchObject({ ok: true });
    expect(await names()).toEqual(["Plans/Week.md", "\u00FCber.md"]);
  });

  it("[document.symlink] writes nothing outside while its folder is swapped for a link and back", async () => {
    await write("dir/a.md", "0");
    mkdirSync(join(base, "outside"));
    writeFileSync(join(base, "outside/a.md"), "secret");
    const swapper = spawn(process.execPath, [
      "-e",
      // The writer makes the folder again whenever it sees none: what stands in the way is put somewhere else.
      `const fs = require("fs"), [, dir, outside] = process.argv;
       let made = 0;
       const insist = (step) => {
         for (;;) {
           try { return step(); } catch {}
           try { fs.renameSync(dir + "/dir", dir + "/.made-" + made++); } catch {}
         }
       };
       process.stdout.write("ready");
       for (;;) {
         fs.renameSync(dir + "/dir", dir + "/.aside");
         insist(() => fs.symlinkSync(outside, dir + "/dir"));
         fs.unlinkSync(dir + "/dir");
         insist(() => fs.renameSync(dir + "/.aside", dir + "/dir"));
       }`,
      folder,
      join(base, "outside"),
    ]);
    const answers = new Set<string>();
    try {
      await once(swapper.stdout, "data");
      for (let i = 0; i < 120; i += 1) {
        const result = await write("dir/a.md", `${i}`);
        answers.add(result.ok ? "written" : result.error.code);
      }
      expect(swapper.exitCode).toBeNull();
    } finally {
      swapper.kill("SIGKILL");
    }
    expect(answers).toContain("written");
    expect(answers).toContain("forbidden");
    expect([...answers].filter((answer) => !["written", "forbidden", "conflict"].includes(answer))).toEqual([]);
    expect(everyFile(join(base, "outside"))).toEqual(["a.md"]);
    expect(readFileSync(join(base, "outside/a.md"), "utf8")).toBe("secret");
  });
});
