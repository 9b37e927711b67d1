import { describe, expect, it } from "vitest";
import { createSerialQueue } from "../../src/kernel/serial-queue.ts";

describe("a serial queue", () => {
  it("runs tasks one after another, in order, and returns what each of them returns", async () => {
    const queue = createSerialQueue();
    const steps: string[] = [];
    const task = (name: string) => async () => {
      steps.push(`${name} starts`);
      await Promise.resolve();
      steps.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([queue.run(task("a")), queue.run(task("b"))])).toEqual(["a", "b"]);
    expect(steps).toEqual(["a starts", "a ends", "b starts", "b ends"]);
  });

  it("goes on after a task that failed: `run` rejects, `add` reports it with its key", async () => {
    const reported: unknown[] = [];
    const queue = createSerialQueue((error, key) => reported.push([key, error]));
    const failed = queue.run(() => Promise.reject(new Error("one")));
    queue.add("two", () => Promise.reject(new Error("two")));
    queue.add("three", () => {
      throw new Error("three");
    });
    const after = queue.run(() => Promise.resolve("still here"));
    await expect(failed).rejects.toThrow("one");
    expect(await after).toBe("still here");
    await queue.idle();
    expect(reported).toEqual([
      ["two", new Error("two")],
      ["three", new Error("three")],
    ]);
  });

  it("adds a key once while it waits, and again once it has started", async () => {
    const queue = createSerialQueue();
    const ran: string[] = [];
    const look = async (): Promise<void> => {
      ran.push("look");
      if (ran.length === 1) queue.add("look", look);
    };
    queue.add("look", look);
    queue.add("look", look);
    queue.add("other", async () => void ran.push("other"));
    await queue.idle();
    expect(ran).toEqual(["look", "other", "look"]);
  });

  it("is idle when everything is done, also what tasks added", async () => {
    const queue = createSerialQueue();
    let left = 3;
    const task = async (): Promise<void> => {
      left -= 1;
      if (left > 0) queue.add(`${left}`, task);
    };
    queue.add("first", task);
    await queue.idle();
    expect(left).toBe(0);
    await queue.idle();
  });
});
