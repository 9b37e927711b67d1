import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";

describe("the system clock", () => {
  it("measures with a clock that never goes back", () => {
    const readings = Array.from({ length: 1_000 }, () => systemClock.monotonic());
    expect(readings).toEqual(readings.toSorted((a, b) => a - b));
  });

  it("sleeps no shorter than asked", async () => {
    const started = systemClock.monotonic();
    await systemClock.sleep(20);
    expect(systemClock.monotonic() - started).toBeGreaterThanOrEqual(19);
  });

  it("sleeps longer than a timer can count", async () => {
    const woken = new AbortController();
    let slept = false;
    const sleeping = systemClock.sleep(0x8000_0000, woken.signal).then(
      () => (slept = true),
      () => {},
    );
    await systemClock.sleep(20);
    expect(slept).toBe(false);
    woken.abort();
    await sleeping;
  });

  it("wakes with the reason of its signal, before and during the sleep, and leaves no listener behind", async () => {
    const reason = new Error("stop");
    await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await systemClock.sleep(1, new AbortController().signal);
  });

  it("does not keep a process alive that has nothing else to do", () => {
    const module = join(import.meta.dirname, "../../src/kernel/clock.ts");
    const program = `import { systemClock } from ${JSON.stringify(module)}; void systemClock.sleep(3_600_000);`;
    const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { timeout: 20_000 });
    expect(status).toBe(0);
  });
});
