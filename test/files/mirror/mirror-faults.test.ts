import { spawnSync } from "node:child_process";
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Log, LogFields } from "../../../src/kernel/log.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import { inMirror, mirrored, openMirrored, say } from "../../support/team/mirrored-team.ts";
import type { TestProject } from "../../support/team/project.ts";
import { REVIEW } from "../../support/team/team.ts";

function collectWarnings(): { readonly log: Log; readonly warnings: [string, LogFields | undefined][] } {
  const warnings: [string, LogFields | undefined][] = [];
  const log: Log = { ...silentLog, warn: (...line) => void warnings.push([line[0], line[1]]), with: () => log };
  return { log, warnings };
}

describe("a mirror in a hostile place", () => {
  it("neither follows a link nor writes into a file that has another name elsewhere", async () => {
    await using project = await openMirrored();
    await say(project, "one");
    await mirrored(project);
    project.write("secret.md", "secret");
    const secret = join(project.dir, "secret.md");
    for (const name of ["channel.md", ".mirrored", "inbox/alice.md"]) {
      rmSync(inMirror(project, name));
      symlinkSync(secret, inMirror(project, name));
    }
    await say(project, "two");
    expect(await mirrored(project)).toBe("### 09:00:00 [user]\none\n\n### 09:00:00 [user]\ntwo\n\n");
    expect(lstatSync(inMirror(project, "channel.md")).isFile()).toBe(true);
    rmSync(inMirror(project, "channel.md"));
    linkSync(secret, inMirror(project, "channel.md"));
    await say(project, "three");
    expect(await mirrored(project)).toContain("three");
    expect(readFileSync(secret, "utf8")).toBe("secret");
  });

  it("waits for no pipe", async () => {
    await using project = await openMirrored();
    await mirrored(project);
    for (const name of ["channel.md", ".mirrored", "inbox/alice.md"]) {
      rmSync(inMirror(project, name));
      expect(spawnSync("mkfifo", [inMirror(project, name)]).status).toBe(0);
    }
    await say(project, "hello");
    expect(await mirrored(project)).toContain("hello");
  });

  it("writes nothing through a folder that is a link, and says so", async () => {
    const { log, warnings } = collectWarnings();
    await using project = await openMirrored(undefined, { log });
    await mirrored(project);
    rmSync(inMirror(project, "."), { recursive: true });
    mkdirSync(join(project.dir, "elsewhere"));
    symlinkSync(join(project.dir, "elsewhere"), inMirror(project, "../main"));
    await say(project, "hello");
    await project.mirror.settled();
    expect(readdirSync(join(project.dir, "elsewhere"))).toEqual([]);
    expect(warnings.map(([message, fields]) => [message, fields?.["space"]])).toEqual([
      ["could not write the mirror of a channel", REVIEW],
      ["could not write the mirror of the inboxes", REVIEW],
    ]);
  });
});

describe("a mirror that cannot be written", () => {
  it("fails no operation, shows the inboxes without the channel, and catches up when it can", async () => {
    const { log, warnings } = collectWarnings();
    await using project = await openMirrored(undefined, { log });
    await say(project, "one");
    await mirrored(project);
    rmSync(inMirror(project, "channel.md"));
    mkdirSync(inMirror(project, "channel.md/in-the-way"), { recursive: true });
    await say(project, "two @alice");
    expect(await mirrored(project, "inbox/alice.md")).toContain("two @alice");
    expect(warnings.map(([message]) => message)).toEqual(["could not write the mirror of a channel"]);
    rmSync(inMirror(project, "channel.md"), { recursive: true });
    await say(project, "three");
    expect((await mirrored(project)).match(/one|two|three/g)).toEqual(["one", "two", "three"]);
  });

  /** A small disk of its own for the workspace. Mounting one is the privilege of root. */
  function mountDisk(project: TestProject): Disposable | undefined {
    const path = inMirror(project, ".");
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path]).status !== 0) return undefined;
    return { [Symbol.dispose]: () => void spawnSync("umount", [path]) };
  }

  it("[mirror.one-way] survives a full and a read-only disk (nothing to see where none can be mounted)", async () => {
    const { log, warnings } = collectWarnings();
    await using project = await openMirrored(undefined, { log });
    await say(project, "one");
    await mirrored(project);
    using disk = mountDisk(project);
    if (disk === undefined) return;
    const filler = inMirror(project, "filler");
    writeFileSync(filler, Buffer.alloc(48 * 1024));
    await say(project, "two");
    expect((await mirrored(project)).match(/one|two/g)).toEqual(["one", "two"]);
    for (let n = 0; n < 5; n += 1) await say(project, `three ${"x".repeat(5000)}`);
    await project.mirror.settled();
    expect(warnings.length).toBeGreaterThan(0);
    rmSync(filler);
    await say(project, "four");
    expect((await mirrored(project)).match(/one|two|three|four/g)).toEqual(
      "one two three three three three three four".split(" "),
    );

    warnings.length = 0;
    expect(spawnSync("mount", ["-o", "remount,ro", inMirror(project, ".")]).status).toBe(0);
    await say(project, "five");
    await project.mirror.settled();
    expect(warnings.map(([message]) => message)).toContain("could not write the mirror of a channel");
    expect(spawnSync("mount", ["-o", "remount,rw", inMirror(project, ".")]).status).toBe(0);
    await project.mirror.catchUp();
    expect((await mirrored(project)).match(/four|five/g)).toEqual(["four", "five"]);
  });
});
