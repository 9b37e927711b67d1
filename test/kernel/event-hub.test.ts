import { describe, expect, it } from "vitest";
import { createEventHub, type EventHub, type Subscription } from "../../src/kernel/event-hub.ts";

function openHub(): { hub: EventHub<number>; errors: unknown[] } {
  const errors: unknown[] = [];
  return { hub: createEventHub<number>((error) => errors.push(error)), errors };
}

/** Reads until there are that many events, or until the end. */
async function take(subscription: Subscription<number>, count = Number.POSITIVE_INFINITY): Promise<number[]> {
  const seen: number[] = [];
  for await (const event of subscription) {
    seen.push(event);
    if (seen.length >= count) break;
  }
  return seen;
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe("event hub", () => {
  it("gives every subscriber everything published since it subscribed, in order", async () => {
    const { hub } = openHub();
    hub.publish([0]);
    const early = hub.subscribe();
    hub.publish([1, 2]);
    const late = hub.subscribe();
    hub.publish([3]);
    hub.publish([]);
    expect(await take(early, 3)).toEqual([1, 2, 3]);
    expect(await take(late, 1)).toEqual([3]);
    expect(hub.subscribers).toBe(0);
  });

  it("wakes a reader that waits, and loses nothing published while it works", async () => {
    const { hub } = openHub();
    const subscription = hub.subscribe();
    const seen: number[] = [];
    const reading = (async () => {
      for await (const event of subscription) {
        seen.push(event);
        if (event === 1) hub.publish([2, 3]);
        await Promise.resolve();
        if (seen.length === 5) return;
      }
    })();
    await Promise.resolve();
    hub.publish([1]);
    hub.publish([4, 5]);
    await reading;
    expect(seen).toEqual([1, 4, 5, 2, 3]);
  });

  it("drops a subscriber that does not keep up, after what it had queued; the others lose nothing", async () => {
    const { hub } = openHub();
    const slow = hub.subscribe({ capacity: 10 });
    const fast = hub.subscribe({ capacity: 1_000 });
    for (const event of numbers(1, 500)) hub.publish([event]);
    expect(slow.dropped).toBe(true);
    expect(fast.dropped).toBe(false);
    expect(hub.subscribers).toBe(1);
    expect(await take(slow)).toEqual(numbers(1, 10));
    expect(await take(fast, 500)).toEqual(numbers(1, 500));
  });

  it("drops in the middle of a publication without a gap", async () => {
    const { hub } = openHub();
    const slow = hub.subscribe({ capacity: 3 });
    hub.publish(numbers(1, 5));
    hub.publish([6]);
    expect(await take(slow)).toEqual([1, 2, 3]);
  });

  it("counts only what the filter lets through against the capacity", async () => {
    const { hub } = openHub();
    const even = hub.subscribe({ capacity: 5, filter: (event) => event % 2 === 0 });
    hub.publish(numbers(1, 11));
    expect(even.dropped).toBe(false);
    expect(await take(even, 5)).toEqual([2, 4, 6, 8, 10]);
  });

  it("ends a waiting reader when its subscription is disposed", async () => {
    const { hub } = openHub();
    const subscription = hub.subscribe();
    const reading = take(subscription);
    await Promise.resolve();
    subscription[Symbol.dispose]();
    subscription[Symbol.dispose]();
    hub.publish([1]);
    expect(await reading).toEqual([]);
    expect(subscription.dropped).toBe(false);
    expect(hub.subscribers).toBe(0);
  });

  it("shows nothing more after a disposal in the middle of the queue", async () => {
    const { hub } = openHub();
    const subscription = hub.subscribe();
    hub.publish(numbers(1, 5));
    const seen: number[] = [];
    for await (const event of subscription) {
      seen.push(event);
      if (event === 2) {
        hub.publish([6]);
        subscription[Symbol.dispose]();
      }
    }
    expect(seen).toEqual([1, 2]);
  });

  it("tells observers in the publishing turn; one that throws stops nobody", async () => {
    const { hub, errors } = openHub();
    const observed: number[][] = [];
    const bug = new Error("bug");
    hub.observe(() => {
      throw bug;
    });
    const observer = hub.observe((events) => void observed.push([...events]));
    const broken = hub.subscribe({
      filter: () => {
        throw bug;
      },
    });
    const subscription = hub.subscribe();
    hub.publish([1, 2]);
    expect(observed).toEqual([[1, 2]]);
    expect(errors).toEqual([bug, bug]);
    observer[Symbol.dispose]();
    broken[Symbol.dispose]();
    hub.publish([3]);
    expect(observed).toEqual([[1, 2]]);
    expect(await take(subscription, 3)).toEqual([1, 2, 3]);
  });
});
