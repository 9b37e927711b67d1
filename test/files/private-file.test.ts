import { chmodSync, constants, linkSync, mkdirSync, statSync, symlinkSync, writeFileSync, closeSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openFolder } from "../../src/files/confined-folder.ts";
import { openInside } from "../../src/files/confined-path.ts";
import {
  checkPrivateFile,
  createPrivateFile,
  narrowPrivateFile,
  narrowPrivateFolder,
  openPrivateFile,
} from "../../src/files/private-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe("a file that is ours alone", () => {
  it("is created once, narrowed when it is wider, and only looked at by a check", () => {
    using folder = temporaryFolder();
    const file = folder.in("a");
    expect([checkPrivateFile(file), narrowPrivateFile(file)]).toEqual([undefined, undefined]);
    expect([createPrivateFile(file), createPrivateFile(file)]).toEqual([true, false]);
    expect(modeOf(file)).toBe(0o600);
    chmodSync(file, 0o664);
    checkPrivateFile(file);
    expect(modeOf(file)).toBe(0o664);
    narrowPrivateFile(file);
    expect(modeOf(file)).toBe(0o600);
    chmodSync(file, 0o644);
    closeSync(openPrivateFile(file, constants.O_RDWR | constants.O_CREAT));
    expect(modeOf(file)).toBe(0o600);
  });

  it("is never a link, a folder, or a file with a second name", () => {
    using folder = temporaryFolder();
    writeFileSync(folder.in("one"), "");
    linkSync(folder.in("one"), folder.in("two"));
    symlinkSync(folder.in("nothing"), folder.in("link"));
    mkdirSync(folder.in("folder"));
    for (const [name, why] of [
      ["two", "hard link"],
      ["link", "symbolic link"],
      ["folder", "not a regular file"],
    ] as const) {
      const fault = expect.objectContaining({ code: "file_unsafe", message: expect.stringContaining(why) });
      expect(() => checkPrivateFile(folder.in(name)), name).toThrow(fault);
      expect(() => openPrivateFile(folder.in(name), constants.O_RDWR | constants.O_CREAT), name).toThrow(fault);
    }
    expect(() => narrowPrivateFolder(folder.in("link"))).toThrow(expect.objectContaining({ code: "file_unsafe" }));
  });
});

describe.each([true, false])("the folder .workspace, with its folders held open: %s", (hold) => {
  it("and what is below it is narrowed; other folders keep their modes", () => {
    using folder = temporaryFolder();
    mkdirSync(folder.in(".workspace/notes"), { recursive: true });
    mkdirSync(folder.in("shared"));
    for (const name of [".workspace", ".workspace/notes", "shared"]) chmodSync(folder.in(name), 0o755);
    for (const path of [[".workspace", "notes", "main"], ["shared"]]) {
      const opened = openFolder(folder.path, path, { create: true, hold });
      expect(opened.ok).toBe(true);
      if (opened.ok) opened.value[Symbol.dispose]();
    }
    for (const name of [".workspace", ".workspace/notes", ".workspace/notes/main"]) {
      expect(modeOf(folder.in(name)), name).toBe(0o700);
    }
    expect(modeOf(folder.in("shared"))).toBe(0o755);
  });

  it("passes its privacy on to what is opened through it", () => {
    using folder = temporaryFolder();
    mkdirSync(folder.in(".workspace/notes"), { recursive: true });
    writeFileSync(folder.in(".workspace/notes/a.md"), "text", { mode: 0o644 });
    writeFileSync(folder.in("a.md"), "text", { mode: 0o644 });
    const base = openFolder(folder.path, [".workspace"], { hold });
    if (!base.ok) throw new Error(base.error.message);
    using workspace = base.value;
    for (const opened of [openInside(workspace, "notes/a.md"), openInside(folder.path, "a.md")]) {
      expect(opened.ok).toBe(true);
      if (opened.ok) opened.value[Symbol.dispose]();
    }
    expect(modeOf(folder.in(".workspace/notes/a.md"))).toBe(0o600);
    expect(modeOf(folder.in("a.md"))).toBe(0o644);
  });
});
