import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  constants,
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
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { flushCreated, openFolder } from "../../src/files/confined-folder.ts";
import { checkFileName, foldName, openInside, readInside } from "../../src/files/confined-path.ts";
import { runs } from "../property.ts";

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "confined-")));
  root = join(base, "root");
  mkdirSync(join(root, "folder"), { recursive: true });
  mkdirSync(join(base, "outside"));
  writeFileSync(join(base, "outside", "file.md"), "secret");
  writeFileSync(join(base, "secret.md"), "secret");
  writeFileSync(join(root, "file.md"), "text");
  writeFileSync(join(root, "folder", "file.md"), "inner");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const LIMITS = { maxBytes: 1000 };

const HOSTILE_NAMES = [
  "",
  ".",
  "..",
  "../secret.md",
  "folder/../../secret.md",
  "./file.md",
  "/etc/passwd",
  "C:\\file.md",
  "c:file.md",
  "..\\secret.md",
  "folder\\file.md",
  "a\0b.md",
  "a\nb.md",
  "a\u202Emd.exe",
  "a\u200Bb.md",
  "\uD800.md",
  "folder//file.md",
  "folder/",
  ".hidden",
  "folder/.previous/a.md",
  "CON",
  "nul.md",
  "folder/Com1.txt",
  "lpt9",
  "com¹",
  "conout$",
  "trailing.",
  "trailing ",
  " leading",
  "folder./a.md",
  "what?.md",
  "a:b",
  "x".repeat(256),
  "é".repeat(128),
  `${"x/".repeat(520)}a`,
];

describe("checkFileName", () => {
  it.each(HOSTILE_NAMES)("refuses %j by rule, with a message fit for a terminal", (name) => {
    const checked = checkFileName(name);
    expect(checked).toMatchObject({ ok: false, error: { code: "invalid", hint: expect.any(String) } });
    expect(checked.ok ? "" : checked.error.message).toMatch(/^[^\p{Cc}]{1,300}$/u);
  });

  it.each(["notes.md", "plans/week-1.md", "a b.md", "über.md", "日本.md", "Makefile", "a..b", "-x", "console.md"])(
    "accepts %j as it is",
    (name) => expect(checkFileName(name)).toEqual({ ok: true, value: name }),
  );

  it("gives one spelling to names that look the same", () => {
    expect(checkFileName("u\u0308ber.md")).toEqual({ ok: true, value: "\u00FCber.md" });
    expect(foldName("Stra\u00DFe.md")).toBe(foldName("STRASSE.md"));
  });

  it("allows hidden parts and forbids folders where the rules say so", () => {
    expect(checkFileName(".agents/alice", { hidden: true }).ok).toBe(true);
    expect(checkFileName("../alice", { hidden: true }).ok).toBe(false);
    expect(checkFileName("a/b", { flat: true }).ok).toBe(false);
  });

  it("accepts only what stays below the root, whatever the text", () => {
    const nasty = fc
      .array(fc.constantFrom("..", ".", "/", "\\", "a", "con", " ", "\0", "~", "é", "%2e"))
      .map((p) => p.join(""));
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string({ unit: "binary" })), (name) => {
        const checked = checkFileName(name);
        expect(!checked.ok || join("/base", checked.value).startsWith("/base/")).toBe(true);
      }),
      runs(300),
    );
  });
});

describe("readInside", () => {
  it("reads text, byte order mark and all", async () => {
    writeFileSync(join(root, "bom.md"), "\uFEFFé");
    expect(await readInside(root, "bom.md", LIMITS)).toEqual({ ok: true, value: "\uFEFFé" });
    expect(await readInside(root, "folder/file.md", LIMITS)).toEqual({ ok: true, value: "inner" });
  });

  it("refuses what is missing, too large or not text", async () => {
    writeFileSync(join(root, "big"), "x".repeat(1001));
    writeFileSync(join(root, "full"), "x".repeat(1000));
    writeFileSync(join(root, "binary"), Buffer.from([0xff, 0xfe, 0x00]));
    const codeOf = async (name: string): Promise<string> => {
      const read = await readInside(root, name, LIMITS);
      return read.ok ? "ok" : read.error.code;
    };
    expect(await codeOf("none")).toBe("not_found");
    expect(await codeOf("none/at/all")).toBe("not_found");
    expect(await codeOf("big")).toBe("too_large");
    expect(await codeOf("full")).toBe("ok");
    expect(await codeOf("binary")).toBe("invalid");
  });

  it("refuses links, other names of a file, folders and pipes, at once", async () => {
    symlinkSync(join(base, "secret.md"), join(root, "soft.md"));
    symlinkSync(join(base, "outside"), join(root, "out"));
    linkSync(join(base, "secret.md"), join(root, "hard.md"));
    expect(spawnSync("mkfifo", [join(root, "pipe.md")]).status).toBe(0);
    for (const name of ["soft.md", "out/file.md", "hard.md", "pipe.md", "folder", "file.md/deeper.md"]) {
      expect(await readInside(root, name, LIMITS)).toMatchObject({ ok: false, error: { code: "forbidden" } });
    }
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;
    expect(openInside(root, "pipe.md", flags)).toMatchObject({ ok: false, error: { code: "forbidden" } });
    expect(openInside(root, "soft.md", flags)).toMatchObject({ ok: false, error: { code: "forbidden" } });
  });

  it("never shows a path of this machine", async () => {
    symlinkSync(join(base, "outside"), join(root, "out"));
    for (const name of ["out/file.md", "none.md", "folder"]) {
      const read = await readInside(root, name, LIMITS);
      expect(JSON.stringify(read)).not.toMatch(/proc|confined-/);
    }
  });

  it("never reads outside while a folder is swapped for a link and back", async () => {
    const swapper = spawn(process.execPath, [
      "-e",
      `const fs = require("fs"), [, root, outside] = process.argv;
       process.stdout.write("ready");
       for (;;) {
         fs.renameSync(root + "/folder", root + "/aside");
         fs.symlinkSync(outside, root + "/folder");
         fs.unlinkSync(root + "/folder");
         fs.renameSync(root + "/aside", root + "/folder");
       }`,
      root,
      join(base, "outside"),
    ]);
    try {
      await once(swapper.stdout, "data");
      const seen = new Set<string>();
      for (let i = 0; i < 3000; i += 1) {
        const read = await readInside(root, "folder/file.md", LIMITS);
        seen.add(read.ok ? read.value : read.error.code);
      }
      expect(seen).not.toContain("secret");
      expect(seen).toContain("inner");
      expect(seen.size).toBeGreaterThan(1);
    } finally {
      swapper.kill("SIGKILL");
    }
  });
});

describe("openFolder", () => {
  it("says how many folders are new, until they are flushed without blocking", async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "confined-")));
    const create = { create: true, flushLater: true };
    const made = openFolder(root, ["a", "b"], create);
    if (!made.ok) throw new Error(made.error.message);
    using folder = made.value;
    expect(folder.created).toBe(process.platform === "linux" ? 2 : 0);
    await flushCreated(folder);
    const again = openFolder(root, ["a", "b", "c"], create);
    if (!again.ok) throw new Error(again.error.message);
    using below = again.value;
    expect(below.created).toBe(process.platform === "linux" ? 1 : 0);
    await flushCreated(below);
    expect(readdirSync(join(root, "a", "b"))).toEqual(["c"]);
    rmSync(root, { recursive: true });
  });

  describe.each([
    ["holding folders open", true],
    ["walking by path", false],
  ])("%s", (_way, hold) => {
    it("makes what is missing and refuses links on the way", () => {
      symlinkSync(join(base, "outside"), join(root, "out"));
      const made = openFolder(root, ["a", "b"], { create: true, hold });
      expect(made.ok).toBe(true);
      if (made.ok) made.value[Symbol.dispose]();
      expect(existsSync(join(root, "a/b"))).toBe(true);
      expect(openFolder(root, ["out"], { hold })).toMatchObject({ error: { code: "forbidden" } });
      expect(openFolder(root, ["out", "c"], { create: true, hold })).toMatchObject({ error: { code: "forbidden" } });
      expect(openFolder(root, ["file.md"], { hold })).toMatchObject({ error: { code: "forbidden" } });
      expect(openFolder(root, ["none"], { hold })).toMatchObject({ error: { code: "not_found" } });
      expect(existsSync(join(base, "outside/c"))).toBe(false);
    });

    it("notices, or does not mind, that its path leads elsewhere", () => {
      const opened = openFolder(root, ["folder"], { hold });
      if (!opened.ok) throw new Error("not opened");
      using folder = opened.value;
      expect(folder.unmoved()).toBe(true);
      spawnSync("mv", [join(root, "folder"), join(root, "aside")]);
      symlinkSync(join(base, "outside"), join(root, "folder"));
      expect(!folder.unmoved() || readFileSync(folder.at("file.md"), "utf8") === "inner").toBe(true);
    });
  });
});
