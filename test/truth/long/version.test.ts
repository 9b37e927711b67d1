import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { readRegistration } from "../../support/daemon/daemon.ts";
import { secondBuild, type SecondBuild } from "../../support/process/second-build.ts";

const SLOW = "- repeat: true\n  steps:\n    - delay: 1h\n    - say: too late\n";
const QUICK = "- repeat: true\n  steps:\n    - say: done\n";

describe("a daemon and a command of two builds", () => {
  let daemon: CommandedDaemon;
  let other: SecondBuild;
  beforeAll(async () => {
    other = secondBuild();
    daemon = await startCommandedDaemon({
      files: {
        ".agents/slow.yaml": "name: slow\nbackend: mock\nmodel: scripts/slow.yaml\nprompt: { system: You are slow. }\n",
        "scripts/slow.yaml": SLOW,
      },
    });
  });
  afterAll(async () => {
    await daemon?.run(["daemon", "stop"], { command: other.command });
    await daemon?.[Symbol.asyncDispose]();
    other?.[Symbol.dispose]();
  });

  it("have different versions, are told apart, and `daemon restart` mends it and keeps the work [once.build]", async () => {
    const { command } = other;
    expect(await daemon.run(["--version"], { command })).toMatchObject({
      out: `${manifest.version} (${other.hash})\n`,
    });
    expect((await daemon.run(["--version"])).out).not.toContain(other.hash);
    await daemon.json(["send", "slow", "hello"]);
    await expect
      .poll(async () => (await daemon.client.health()).projects, { timeout: 20_000 })
      .toMatchObject([{ running: 1 }]);

    const { err } = await daemon.run(["ls"], { command });
    expect(err).toContain(
      `this command ${manifest.version} (${other.hash}). Restart it with: agent-worker daemon restart`,
    );
    daemon.write("scripts/slow.yaml", QUICK);
    const before = readRegistration(daemon.home);
    const restarted = await daemon.run(["daemon", "restart", "--json"], { command });
    expect(restarted).toMatchObject({ exit: 0 });
    expect(JSON.parse(restarted.out)).toMatchObject({ stopped: true, version: `${manifest.version} (${other.hash})` });
    const after = readRegistration(daemon.home);
    expect(after).toMatchObject({ port: before.port, version: `${manifest.version} (${other.hash})` });
    expect(after.pid).not.toBe(before.pid);

    await expect
      .poll(async () => (await daemon.run(["peek", "slow"], { command })).out, { timeout: 20_000 })
      .toContain("done");
    expect((await daemon.run(["ls"], { command })).err).toBe("");
  });
});
