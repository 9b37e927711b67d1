import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ENGINE_NAMES } from "../../src/domain/agent/engines.ts";
import { loadEngine } from "../../src/engines/load-engine.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { silentLog } from "../../src/testing/silent-log.ts";
import { seededRandom } from "../../src/kernel/random.ts";
import { ok } from "../../src/kernel/result.ts";

const ENGINES = join(import.meta.dirname, "../../src/engines");

describe("the list of engines [engine.one-interface]", () => {
  it("has one folder for each row, and one row for each folder", () => {
    const folders = globSync("{*,cli/*}/engine.ts", { cwd: ENGINES }).map((file) => basename(dirname(file)));
    expect(folders.toSorted()).toEqual(ENGINE_NAMES.toSorted());
  });

  it.each(ENGINE_NAMES)("%s is made and probed under its name", async (name) => {
    const { create, probe, maxSessions } = await loadEngine(name);
    const parts = { clock: systemClock, random: seededRandom(1), log: silentLog, env: { PATH: "/nonexistent" } };
    const bridge = () => ({ command: "true", args: [], env: {} });
    await using engine = create({ ...parts, scripts: () => ok(null), bridge });
    expect([engine.name, (await probe(parts)).name, maxSessions > 0]).toEqual([name, name, true]);
  });
});
