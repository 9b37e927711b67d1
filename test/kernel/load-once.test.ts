import { describe, expect, it } from "vitest";
import { loadOnce } from "../../src/kernel/load-once.ts";
import { isScarcity } from "../../src/kernel/scarcity.ts";

const scarce = (code: string): Error => Object.assign(new Error("no more"), { code });

function loader(failures: Error[]) {
  const waits: number[] = [];
  let loads = 0;
  const loading = loadOnce(
    async () => {
      loads += 1;
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return loads;
    },
    { clock: { sleep: async (ms) => void waits.push(ms) }, random: () => 0.5 },
  );
  return { get: loading.get, loaded: loading.loaded, waits };
}

describe("what is loaded on first use", () => {
  it("is loaded once for all who ask at the same time, and is tried again while descriptors are scarce [once.scarcity]", async () => {
    const { get, waits } = loader([scarce("EMFILE"), scarce("ENOMEM")]);
    expect(await Promise.all([get(), get(), get()])).toEqual([3, 3, 3]);
    expect(await get()).toBe(3);
    expect(waits).toEqual([25, 50]);
  });

  it("is tried again by the next who asks after it failed, and fails at once for another reason [once.scarcity]", async () => {
    const { get, loaded, waits } = loader([new Error("broken")]);
    await expect(get()).rejects.toThrow("broken");
    expect(loaded()).toBeUndefined();
    expect(await get()).toBe(2);
    expect(waits).toEqual([]);
    const hopeless = loader(Array.from({ length: 30 }, () => scarce("EMFILE")));
    await expect(hopeless.get()).rejects.toThrow("no more");
    expect(hopeless.waits).toHaveLength(9);
  });

  it("knows scarcity by its code, by its cause, and by the words of Node [once.scarcity]", () => {
    expect(isScarcity(new Error("cannot read", { cause: scarce("ENFILE") }))).toBe(true);
    expect(isScarcity(new Error("Cannot read package config /x/package.json: too many open files."))).toBe(true);
    expect([isScarcity(scarce("ENOENT")), isScarcity("EMFILE"), isScarcity(undefined)]).toEqual([false, false, false]);
  });
});
