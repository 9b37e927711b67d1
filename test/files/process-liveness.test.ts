import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { processIsAlive, processStart } from "../../src/files/process-liveness.ts";

describe.each(["linux", "darwin"] as const)("the start of a process, as %s tells it [begin.systems]", (platform) => {
  it("is the same each time, and another one for another process", async () => {
    const child = spawn("sleep", ["60"]);
    try {
      await once(child, "spawn");
      const { pid = 0 } = child;
      const start = processStart(pid, platform);
      expect(start).not.toBe("");
      expect(processStart(pid, platform)).toBe(start);
      expect(processStart(process.pid, platform)).toBe(processStart(process.pid, platform));
      expect(processStart(process.pid, platform)).not.toBe(start);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("is empty when there is no such process", async () => {
    const child = spawn("true");
    await once(child, "close");
    expect(processStart(child.pid ?? 0, platform)).toBe("");
    expect(processIsAlive(child.pid ?? 0)).toBe(false);
  });
});
