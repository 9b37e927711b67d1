import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startFakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { value } from "../support/result.ts";
import { agentOn, MODEL_ENV } from "../support/security/scripted-model.ts";

const AGENTS = Array.from({ length: 8 }, (_, n) => `agent${n}`);

describe("a process that many agents share", () => {
  it("is killed while all of them work: every message is answered at once, and nobody pays [engine.sdk-blame]", async () => {
    const goOn = Promise.withResolvers<void>();
    await using model = await startFakeModelServer(() => ({ text: "Done.", after: goOn.promise }));
    await using daemon = await startCommandedDaemon({
      env: { ...MODEL_ENV },
      files: Object.fromEntries(AGENTS.map((name) => [`.agents/${name}.yaml`, agentOn(model, name)])),
    });
    for (const to of AGENTS) value(await daemon.client.call("send-message", { to, message: "go" }));
    await model.received(AGENTS.length);
    const workers = workersOf(daemon.pid);
    expect(workers.length).toBeLessThan(AGENTS.length);
    for (const pid of workers) process.kill(pid, "SIGKILL");
    goOn.resolve();
    await expect
      .poll(async () => (await daemon.client.health()).projects, { timeout: 60_000, interval: 100 })
      .toMatchObject([{ pending: 0, running: 0 }]);
    expect(value(await daemon.client.call("list-dead-letters", {})).deliveries).toEqual([]);
    const { runs } = value(await daemon.client.call("list-runs", {}));
    expect(runs.map(({ agent, outcome }) => `${agent}: ${outcome}`).toSorted()).toEqual(
      AGENTS.map((name) => `${name}: answered`),
    );
    expect(model.requests).toHaveLength(AGENTS.length * 2);
  });
});

function workersOf(daemon: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        return parent === daemon && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("sdk/worker");
      } catch {
        return false;
      }
    });
}
