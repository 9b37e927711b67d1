import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startTestDaemon } from "../../support/daemon/daemon.ts";
import { runInstalled } from "../../support/daemon/installed-command.ts";

// Mounting a small disk is the privilege of root; elsewhere there is none to fill.
const disk = mkdtempSync(join(tmpdir(), "small-disk-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", disk]).status === 0;
afterAll(() => {
  if (mounted) spawnSync("umount", ["-l", disk]);
  rmSync(disk, { recursive: true, force: true });
});

it.skipIf(!mounted)(
  "a full disk is said by ls, and by nobody any more when there is room (skipped where no disk can be mounted) [trouble.disk-full]",
  async () => {
    await using daemon = await startTestDaemon({});
    const options = { cwd: disk, env: { ...daemon.env, AGENT_WORKER_TRUST: "1" } };
    const run = (args: readonly string[]) => runInstalled(args, options);
    expect((await run(["init", ".", "--backend", "mock"])).exit).toBe(0);
    const [, agent = ""] = /send (\w+)/.exec((await run(["init", "."])).out) ?? ["", "alice"];
    expect((await run(["ls"])).err).not.toContain("is full");
    spawnSync("dd", ["if=/dev/zero", `of=${join(disk, "filling")}`, "bs=64k"]);
    expect((await run(["send", agent, "x".repeat(100_000)])).exit).not.toBe(0);
    expect(await run(["ls"])).toMatchObject({ exit: 0, err: expect.stringContaining(`The disk of ${disk} is full`) });
    writeFileSync(join(disk, "filling"), "");
    expect((await run(["ls"])).err).not.toContain("is full");
    expect((await run(["status"])).out).not.toContain("is full");
  },
);
