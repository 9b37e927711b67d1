import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withFileLock } from "../../src/files/file-lock.ts";
import { systemClock } from "../../src/kernel/clock.ts";

let dir: string;
let lock: string;
let counter: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "lock-"));
  lock = join(dir, ".lock");
  counter = join(dir, "counter");
  writeFileSync(counter, "0");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const moduleOf = (path: string): string => JSON.stringify(join(import.meta.dirname, "../../src", path));
/** A process that counts `rounds` times under the lock, and dies inside it when told so. */
const script = (rounds: number, die: boolean): string => `
  import { readFileSync, writeFileSync } from "node:fs";
  import { withFileLock } from ${moduleOf("files/file-lock.ts")};
  import { systemClock } from ${moduleOf("kernel/clock.ts")};
  setInterval(() => {}, 1000);
  for (let i = 0; i < ${rounds}; i += 1) {
    await withFileLock(${JSON.stringify(lock)}, systemClock, async () => {
      const value = Number(readFileSync(${JSON.stringify(counter)}, "utf8"));
      await new Promise((resolve) => setImmediate(resolve));
      if (${die}) process.kill(process.pid, "SIGKILL");
      writeFileSync(${JSON.stringify(counter)}, String(value + 1));
    }, { waitMs: 60_000 });
  }
  process.exit(0);`;
const run = (source: string): [string, string[]] => [process.execPath, ["--input-type=module", "-e", source]];

describe("withFileLock", () => {
  it("serialises callers of one process and of several, and leaves no lock behind", async () => {
    const children = [1, 2, 3].map(() => once(spawn(...run(script(40, false)), { stdio: "inherit" }), "exit"));
    const own = Array.from({ length: 40 }, () =>
      withFileLock(
        lock,
        systemClock,
        async () => {
          const value = Number(readFileSync(counter, "utf8"));
          await new Promise((resolve) => setImmediate(resolve));
          writeFileSync(counter, String(value + 1));
        },
        { waitMs: 60_000 },
      ),
    );
    await Promise.all(own);
    expect((await Promise.all(children)).map(([code]: unknown[]) => code)).toEqual([0, 0, 0]);
    expect(readFileSync(counter, "utf8")).toBe("160");
    expect(readdirSync(dir)).toEqual(["counter"]);
  });

  it("takes over from holders that were killed, one successor at a time", async () => {
    for (let round = 0; round < 3; round += 1) {
      expect(spawnSync(...run(script(1, true))).signal).toBe("SIGKILL");
      expect(readdirSync(dir)).toContain(".lock");
      const waiting = [1, 2].map(() => once(spawn(...run(script(5, false)), { stdio: "inherit" }), "exit"));
      expect((await Promise.all(waiting)).map(([code]: unknown[]) => code)).toEqual([0, 0]);
    }
    expect(readFileSync(counter, "utf8")).toBe("30");
    expect(readdirSync(dir)).toEqual(["counter"]);
  });

  it("is released when the work fails, and the next in line still gets its turn", async () => {
    const failed = withFileLock(lock, systemClock, async () => {
      throw new Error("work failed");
    });
    const next = withFileLock(lock, systemClock, async () => "next");
    await expect(failed).rejects.toThrow("work failed");
    expect(await next).toBe("next");
    expect(readdirSync(dir)).toEqual(["counter"]);
  });

  it("waits for a living holder no longer than agreed, and names it", async () => {
    writeFileSync(lock, JSON.stringify({ pid: process.pid, start: "", token: "other" }));
    const waiting = withFileLock(lock, systemClock, async () => "never", { waitMs: 30 });
    await expect(waiting).rejects.toMatchObject({
      code: "file_unwritable",
      message: expect.stringContaining(String(process.pid)),
    });
    expect(readFileSync(lock, "utf8")).toContain("other");
  });

  it.skipIf(process.platform !== "linux")("knows a process that got the id of a dead holder", async () => {
    writeFileSync(lock, JSON.stringify({ pid: process.pid, start: "an-earlier-boot/1", token: "other" }));
    expect(await withFileLock(lock, systemClock, async () => "mine")).toBe("mine");
  });

  it("removes a lock that names nobody after a while", async () => {
    writeFileSync(lock, "");
    let now = 0;
    const clock = { ...systemClock, monotonic: () => (now += 100), sleep: async () => undefined };
    expect(await withFileLock(lock, clock, async () => "mine")).toBe("mine");
    expect(now).toBeGreaterThan(1000);
  });
});
