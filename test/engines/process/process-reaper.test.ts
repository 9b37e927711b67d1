import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { processGone } from "../../support/process/process-gone.ts";
import { spawnSupport } from "../../support/process/spawned.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("a host that is killed", () => {
  it("takes along the groups it started and the files of their turns [engine.abort]", async () => {
    using folder = temporaryFolder();
    await using host = spawnSupport("doomed-host.ts", [folder.path]);
    const [, ...said] = (await host.line("running")).split(" ");
    const root = said.pop() ?? "";
    const pids = said.map(Number);
    expect(pids).toHaveLength(4);
    expect(existsSync(root)).toBe(true);
    host.kill();
    await host.ended;
    for (const pid of pids) expect(await processGone(pid)).toBe(true);
    for (let tries = 0; tries < 200 && existsSync(root); tries += 1) await pause(20);
    expect(existsSync(root)).toBe(false);
  });
});
