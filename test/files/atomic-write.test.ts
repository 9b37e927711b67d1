import { spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stageFile, sweepStaged, writeFileAtomic } from "../../src/files/atomic-write.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "atomic-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const at = (name: string): string => join(dir, name);
const mode = (name: string): number => statSync(at(name)).mode & 0o777;

describe("writeFileAtomic", () => {
  it("creates a private file and leaves nothing else", async () => {
    expect(await writeFileAtomic(at("a"), "text")).toBe("written");
    expect(readFileSync(at("a"), "utf8")).toBe("text");
    expect(mode("a")).toBe(0o600);
    expect(readdirSync(dir)).toEqual(["a"]);
  });

  it("replaces content and keeps the mode, unless told another", async () => {
    writeFileSync(at("a"), "old");
    chmodSync(at("a"), 0o640);
    await writeFileAtomic(at("a"), new Uint8Array([110, 101, 119]));
    expect([readFileSync(at("a"), "utf8"), mode("a")]).toEqual(["new", 0o640]);
    await writeFileAtomic(at("a"), "x", { mode: 0o600 });
    expect(mode("a")).toBe(0o600);
  });

  it("never replaces a file it may only create", async () => {
    writeFileSync(at("a"), "mine");
    expect(await writeFileAtomic(at("a"), "yours", { exclusive: true })).toBe("exists");
    expect(readFileSync(at("a"), "utf8")).toBe("mine");
    expect(await writeFileAtomic(at("b"), "new", { exclusive: true })).toBe("written");
    expect(statSync(at("b")).nlink).toBe(1);
    expect(readdirSync(dir)).toEqual(["a", "b"]);
  });

  it("lets exactly one of many creators win", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => writeFileAtomic(at("one"), `${i}`, { exclusive: true })),
    );
    expect(outcomes.filter((outcome) => outcome === "written")).toHaveLength(1);
    expect(readFileSync(at("one"), "utf8")).toBe(`${outcomes.indexOf("written")}`);
  });

  it("replaces a link instead of writing through it", async () => {
    writeFileSync(at("outside"), "precious");
    symlinkSync(at("outside"), at("soft"));
    linkSync(at("outside"), at("hard"));
    await writeFileAtomic(at("soft"), "1");
    await writeFileAtomic(at("hard"), "2");
    expect(["outside", "soft", "hard"].map((name) => readFileSync(at(name), "utf8"))).toEqual(["precious", "1", "2"]);
  });

  it("says which file could not be written, and leaves no trace", async () => {
    await expect(writeFileAtomic(join(dir, "missing", "a"), "x", { label: "todo" })).rejects.toMatchObject({
      name: "Fault",
      code: "file_unwritable",
      message: expect.stringContaining("todo"),
    });
    symlinkSync(at("a"), at("folder"));
    await expect(writeFileAtomic(join(dir, "folder", "a"), "x")).rejects.toMatchObject({ code: "file_unwritable" });
    expect(readdirSync(dir)).toEqual(["folder"]);
  });
});

describe("stageFile", () => {
  it("shows nothing before it is published", async () => {
    writeFileSync(at("a"), "old");
    const staged = await stageFile(dir, "new");
    expect(readFileSync(at("a"), "utf8")).toBe("old");
    expect(staged.publish(at("a"))).toBe("written");
    staged.discard();
    expect(readFileSync(at("a"), "utf8")).toBe("new");
  });

  it("disappears when discarded, twice if need be", async () => {
    const staged = await stageFile(dir, "new");
    staged.discard();
    staged.discard();
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe("sweepStaged", () => {
  it("removes what a killed process staged, and nothing of the living", async () => {
    const source = `
      import { stageFile } from ${JSON.stringify(join(import.meta.dirname, "../../src/files/atomic-write.ts"))};
      await stageFile(${JSON.stringify(dir)}, "half");
      process.kill(process.pid, "SIGKILL");`;
    expect(spawnSync(process.execPath, ["--input-type=module", "-e", source]).signal).toBe("SIGKILL");
    const staged = await stageFile(dir, "mine");
    writeFileSync(at(".staged-notes.tmp"), "a person's");
    expect(readdirSync(dir)).toHaveLength(3);
    sweepStaged(dir);
    expect(readdirSync(dir)).toHaveLength(2);
    expect(staged.publish(at("a"))).toBe("written");
    expect(readdirSync(dir).sort()).toEqual([".staged-notes.tmp", "a"]);
    sweepStaged(at("missing"));
  });

  it("removes what an earlier process with the same id staged", () => {
    writeFileSync(at(`.staged-${process.pid}-00.tmp`), "from before the restart");
    sweepStaged(dir);
    expect(readdirSync(dir)).toEqual([]);
  });
});
