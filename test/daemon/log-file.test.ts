import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openLogFile } from "../../src/daemon/log-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("the log", () => {
  it("is set aside before it grows too large, and only a few old ones are kept [daemon.logs]", () => {
    using folder = temporaryFolder();
    const path = folder.in("daemon.log");
    const before = process.umask(0);
    try {
      using log = openLogFile({ path, maxBytes: 1000, keep: 3 });
      for (let line = 1; line <= 200; line += 1) log.write(`line ${line} ${"x".repeat(90)}`);
    } finally {
      process.umask(before);
    }
    expect(readdirSync(folder.path).toSorted()).toEqual(["daemon.log", "daemon.log.1", "daemon.log.2", "daemon.log.3"]);
    const kept = ["daemon.log.3", "daemon.log.2", "daemon.log.1", "daemon.log"].flatMap((name) => {
      const { size, mode } = statSync(folder.in(name));
      expect(size).toBeLessThanOrEqual(1000);
      expect(mode & 0o777).toBe(0o600);
      return readFileSync(folder.in(name), "utf8").trim().split("\n");
    });
    const numbers = kept.map((line) => Number(line.split(" ")[1]));
    expect(numbers.at(-1)).toBe(200);
    expect(numbers).toEqual(numbers.map((_, index) => 200 - numbers.length + 1 + index));
  });

  it("goes on where it was, and takes a line that is larger than a file may be", () => {
    using folder = temporaryFolder();
    const path = folder.in("daemon.log");
    {
      using log = openLogFile({ path, maxBytes: 100, keep: 2 });
      log.write("first");
    }
    using log = openLogFile({ path, maxBytes: 100, keep: 2 });
    log.write("second");
    expect(readFileSync(path, "utf8")).toBe("first\nsecond\n");
    log.write("x".repeat(500));
    log.write("last");
    expect(readFileSync(path, "utf8")).toBe("last\n");
    expect(log.dropped).toBe(0);
  });

  it("is never written through a link, and what cannot be written is counted, not thrown", () => {
    using folder = temporaryFolder();
    writeFileSync(folder.in("precious"), "precious");
    symlinkSync(folder.in("precious"), folder.in("daemon.log"));
    using log = openLogFile({ path: folder.in("daemon.log") });
    log.write("one");
    log.write("two");
    expect(log.dropped).toBe(2);
    expect(readFileSync(folder.in("precious"), "utf8")).toBe("precious");
    rmSync(folder.in("daemon.log"));
    log.write("three");
    expect(log.dropped).toBe(0);
    const [notice, line] = readFileSync(folder.in("daemon.log"), "utf8").trim().split("\n");
    expect(JSON.parse(notice ?? "")).toMatchObject({ dropped: 2 });
    expect(line).toBe("three");
  });
});

// Mounting a small disk is the privilege of root; elsewhere there is none to fill.
const disk = mkdtempSync(join(tmpdir(), "small-disk-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]).status === 0;

afterAll(() => {
  if (mounted) spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

it.skipIf(!mounted)("a full disk costs lines of the log and nothing else (skipped where none can be mounted)", () => {
  using log = openLogFile({ path: join(disk, "daemon.log") });
  for (let line = 0; line < 1000; line += 1) log.write("x".repeat(200));
  expect(log.dropped).toBeGreaterThan(500);
  const { dropped } = log;
  writeFileSync(join(disk, "daemon.log"), "");
  log.write("room again");
  expect(log.dropped).toBe(0);
  expect(readFileSync(join(disk, "daemon.log"), "utf8")).toContain(`"dropped":${dropped}`);
});
