import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { processGone } from "../../support/process/process-gone.ts";
import { spawnSupport } from "../../support/process/spawned.ts";
import { eventually } from "../../support/team/running-project.ts";
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

  it("takes them along when its reaper was killed before it [engine.abort]", async () => {
    using folder = temporaryFolder();
    await using host = spawnSupport("doomed-host.ts", [folder.path]);
    const [, ...said] = (await host.line("running")).split(" ");
    const pids = said.slice(0, -1).map(Number);
    const [reaper] = reapersOf(host.pid);
    expect(reaper).toBeDefined();
    process.kill(reaper ?? 0, "SIGKILL");
    await eventually("another reaper is there", () => reapersOf(host.pid).some((pid) => pid !== reaper));
    host.kill();
    await host.ended;
    for (const pid of pids) expect(await processGone(pid)).toBe(true);
  });
});

/** Children of the host that run the program of the reaper. */
function reapersOf(host: number | undefined): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = /\(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1];
        return Number(parent) === host && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("while read -r verb");
      } catch {
        return false;
      }
    });
}
