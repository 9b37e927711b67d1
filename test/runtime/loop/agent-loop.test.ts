import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createLog } from "../../../src/kernel/log.ts";
import { AgentLoop, type TakeNext } from "../../../src/runtime/loop/agent-loop.ts";
import { startLoops } from "../../../src/runtime/loop/loops.ts";
import { untilAborted } from "../../support/engine/until-aborted.ts";
import { gate } from "../../support/gate.ts";
import { manualClock, type ManualClock } from "../../support/manual-clock.ts";

const NOTHING = { again: false, nextDue: null };
const WORKED = { again: true, nextDue: null };

function loopOf(takeNext: TakeNext, clock: ManualClock = manualClock()) {
  const lines: string[] = [];
  const log = createLog({ clock, level: "debug", redactValue: (each) => each, sink: (line) => void lines.push(line) });
  const loop = new AgentLoop({ mailbox: "alice", clock, random: () => 0.5, log, takeNext });
  return { loop, clock, lines };
}

describe("a loop", () => {
  it("works until there is nothing left, then rests", async () => {
    let left = 3;
    const { loop } = loopOf(async () => (left-- > 0 ? WORKED : NOTHING));
    expect(loop.state.kind).toBe("stopped");
    loop.start();
    expect(loop.state.kind).toBe("running");
    await turn();
    expect({ state: loop.state.kind, left }).toEqual({ state: "idle", left: -1 });
  });

  it("remembers a wake while it is busy, and many as one [loop.wake-while-busy]", async () => {
    const busy = gate();
    let looks = 0;
    const { loop } = loopOf(async () => {
      looks += 1;
      if (looks === 1) await busy.passed;
      return NOTHING;
    });
    loop.start();
    await turn();
    for (let n = 0; n < 100; n += 1) loop.wake();
    busy.open();
    await turn();
    expect({ looks, state: loop.state.kind }).toEqual({ looks: 2, state: "idle" });
    loop.wake();
    await turn();
    expect(looks).toBe(3);
  });

  it("never looks twice at the same time", async () => {
    let now = 0;
    let most = 0;
    let looks = 0;
    const { loop } = loopOf(async () => {
      now += 1;
      most = Math.max(most, now);
      await turn();
      now -= 1;
      looks += 1;
      return looks % 3 === 0 ? WORKED : NOTHING;
    });
    loop.start();
    for (let n = 0; n < 50; n += 1) {
      loop.wake();
      if (n % 7 === 0) await turn();
    }
    await loop.stop();
    expect(most).toBe(1);
  });

  it("looks again when something is due, and not before", async () => {
    let looks = 0;
    const clock = manualClock();
    const due = clock.now() + 1_000;
    const { loop } = loopOf(async () => {
      looks += 1;
      return { again: false, nextDue: looks === 1 ? due : null };
    }, clock);
    loop.start();
    await turn();
    clock.advance(999);
    await turn();
    expect(looks).toBe(1);
    clock.advance(1);
    await turn();
    expect(looks).toBe(2);
  });

  it("is not fooled by a due time further away than a timer can count", async () => {
    let looks = 0;
    const clock = manualClock();
    const { loop } = loopOf(
      async () => ({ again: false, nextDue: (looks += 1) === 0 ? null : clock.now() + 1e12 }),
      clock,
    );
    loop.start();
    await turn();
    clock.advance(60_000);
    await turn();
    expect(looks).toBe(1);
  });

  it("stops by aborting what it does, and waits for it", async () => {
    let ended = false;
    const { loop } = loopOf(async (signal) => {
      await untilAborted(signal).catch(() => {});
      await turn();
      ended = true;
      return WORKED;
    });
    loop.start();
    await turn();
    const stopping = loop.stop();
    expect(loop.state.kind).toBe("stopping");
    loop.wake();
    await stopping;
    expect({ ended, state: loop.state.kind }).toEqual({ ended: true, state: "stopped" });
  });

  it("waits in stop also for a look that a remembered wake began", async () => {
    let looks = 0;
    let ended = 0;
    const { loop } = loopOf(async () => {
      looks += 1;
      if (looks === 1) loop.wake();
      await turn();
      ended += 1;
      return NOTHING;
    });
    loop.start();
    while (looks < 2) await turn();
    await loop.stop();
    expect(ended).toBe(looks);
  });

  it("can be started again after a stop, with a signal of its own", async () => {
    const signals: AbortSignal[] = [];
    const { loop } = loopOf(async (signal) => {
      signals.push(signal);
      return NOTHING;
    });
    loop.start();
    await turn();
    await loop.stop();
    loop.start();
    await turn();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    expect(loop.state.kind).toBe("idle");
    await loop.stop();
    expect(loop.state.kind).toBe("stopped");
  });

  it("that fails starts again by itself, later each time, and says so [loop.restart-failed]", async () => {
    const clock = manualClock();
    const times: number[] = [];
    const { loop, lines } = loopOf(async () => {
      times.push(clock.monotonic());
      if (times.length <= 6) throw new Error("the disk is on fire");
      return NOTHING;
    }, clock);
    loop.start();
    await turn();
    expect(loop.state).toEqual({ kind: "failed", failures: 1 });
    loop.wake();
    expect(loop.state.kind).toBe("failed");
    for (let ms = 0; ms < 60_000 && times.length < 7; ms += 10) {
      clock.advance(10);
      await turn();
    }
    expect(loop.state.kind).toBe("idle");
    const waits = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    expect(waits).toEqual([350, 600, 1_100, 2_100, 4_100, 8_100]);
    expect(lines).toHaveLength(6);
    expect(JSON.parse(lines[0] ?? "{}")).toMatchObject({ level: "error", mailbox: "alice", failures: 1 });
  });

  it("that failed can be stopped, and then stays stopped", async () => {
    const { loop, clock } = loopOf(async () => {
      throw new Error("no");
    });
    loop.start();
    await turn();
    await loop.stop();
    clock.advance(600_000);
    await turn();
    expect(loop.state.kind).toBe("stopped");
  });
});

describe("the loops of a project", () => {
  const quiet = createLog({ clock: manualClock(), level: "error", redactValue: (each) => each, sink: () => {} });

  function loopsOf(takeNext: (mailbox: string) => TakeNext, pending: () => readonly string[] = () => []) {
    const clock = manualClock();
    const loops = startLoops({
      clock,
      random: () => 0,
      log: quiet,
      takeNext,
      mailboxesWithPending: async () => pending(),
    });
    return { clock, loops };
  }

  it("come into being when their mailbox is first woken [loop.lazy]", async () => {
    const { loops } = loopsOf(() => async () => NOTHING);
    await turn();
    expect(loops.size).toBe(0);
    loops.wake(["alice", "bob", "alice"]);
    expect(loops.size).toBe(2);
    await loops[Symbol.asyncDispose]();
  });

  it("find work whose wake was lost by a slow look at the store [loop.wake-lost]", async () => {
    const looked: string[] = [];
    let pending: string[] = [];
    const { loops, clock } = loopsOf(
      (mailbox) => async () => {
        looked.push(mailbox);
        return NOTHING;
      },
      () => pending,
    );
    await turn();
    pending = ["alice"];
    await turn();
    expect(looked).toEqual([]);
    clock.advance(5_000);
    await turn();
    expect(looked).toEqual(["alice"]);
    await loops[Symbol.asyncDispose]();
  });

  it("go on when the look itself fails", async () => {
    let looks = 0;
    const { loops, clock } = loopsOf(
      () => async () => NOTHING,
      () => {
        looks += 1;
        throw new Error("no");
      },
    );
    for (let n = 0; n < 3; n += 1) {
      clock.advance(5_000);
      await turn();
    }
    expect(looks).toBeGreaterThan(2);
    await loops[Symbol.asyncDispose]();
  });

  it("do not hinder each other: one fails, the other works [loop.restart-failed]", async () => {
    const worked: string[] = [];
    const { loops } = loopsOf((mailbox) => async () => {
      if (mailbox === "alice") throw new Error("no");
      worked.push(mailbox);
      return NOTHING;
    });
    loops.wake(["alice", "bob"]);
    await turn();
    expect(worked).toEqual(["bob"]);
    expect([loops.state("alice").kind, loops.state("bob").kind]).toEqual(["failed", "idle"]);
    await loops[Symbol.asyncDispose]();
    expect(loops.state("alice").kind).toBe("stopped");
  });

  it("one that was stopped is not woken by old work, only by new", async () => {
    const looked: string[] = [];
    const { loops, clock } = loopsOf(
      (mailbox) => async () => {
        looked.push(mailbox);
        return NOTHING;
      },
      () => ["alice"],
    );
    await turn();
    await loops.stop("alice");
    const before = looked.length;
    clock.advance(60_000);
    await turn();
    expect({ more: looked.length - before, state: loops.state("alice").kind }).toEqual({ more: 0, state: "stopped" });
    loops.wake(["alice"]);
    await turn();
    expect(looked.length).toBe(before + 1);
    await loops[Symbol.asyncDispose]();
  });

  it("one that retires finishes what it is doing and is gone [workflow.inline-loop]", async () => {
    const busy = gate();
    let aborted = false;
    const { loops } = loopsOf(() => async (signal) => {
      await busy.passed;
      aborted = signal.aborted;
      return NOTHING;
    });
    loops.wake(["helper@review:main", "alice"]);
    await turn();
    loops.retire("helper@review:main");
    expect(loops.size).toBe(2);
    busy.open();
    await turn();
    expect({ size: loops.size, aborted }).toEqual({ size: 1, aborted: false });
    loops.retire("alice");
    loops.retire("nobody");
    expect(loops.size).toBe(0);
    await loops[Symbol.asyncDispose]();
  });

  it("take no more wakes once they are closed", async () => {
    const { loops } = loopsOf(() => async () => NOTHING);
    await loops[Symbol.asyncDispose]();
    loops.wake(["alice"]);
    expect(loops.size).toBe(0);
  });
});
