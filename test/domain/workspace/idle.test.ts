import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LoopStatus, type WorkspaceActivity, isIdle } from "../../../src/domain/workspace/idle.ts";
import { runs } from "../../property.ts";

const quiet: WorkspaceActivity = {
  loops: [
    { agent: "alice", status: "idle" },
    { agent: "bob", status: "idle" },
  ],
  openDeliveries: new Map(),
  openBallots: 0,
  pendingApprovals: 0,
  held: false,
  lastActivity: 1000,
  now: 3000,
  debounceMs: 2000,
};
const aliceIs = (status: LoopStatus): WorkspaceActivity => ({ ...quiet, loops: [{ agent: "alice", status }] });

describe("isIdle", () => {
  it("is true when nothing is left and the debounce has passed [idle.decision]", () => {
    expect(isIdle(quiet)).toEqual({ idle: true, stranded: 0 });
    expect(isIdle({ ...quiet, loops: [] })).toEqual({ idle: true, stranded: 0 });
  });

  it.each<LoopStatus>(["running", "stopping"])("is false while a loop is %s [idle.decision]", (status) => {
    expect(isIdle(aliceIs(status))).toEqual({ idle: false, because: "loops" });
  });

  it.each<LoopStatus>(["stopped", "failed", "idle"])(
    "does not wait for a loop that is %s [idle.failed-loop]",
    (status) => {
      expect(isIdle(aliceIs(status))).toEqual({ idle: true, stranded: 0 });
    },
  );

  it("is false while a delivery is open, also for an agent that has no loop yet [idle.pending]", () => {
    for (const recipient of ["alice", "newcomer"]) {
      expect(isIdle({ ...quiet, openDeliveries: new Map([[recipient, 1]]) })).toEqual({
        idle: false,
        because: "deliveries",
      });
    }
    expect(isIdle({ ...quiet, openDeliveries: new Map([["alice", 0]]) }).idle).toBe(true);
  });

  it("does not wait for what nobody will take, but says so [idle.failed-loop]", () => {
    const openDeliveries = new Map([["alice", 2]]);
    expect(isIdle({ ...aliceIs("failed"), openDeliveries })).toEqual({ idle: true, stranded: 2 });
    expect(isIdle({ ...aliceIs("stopped"), openDeliveries })).toEqual({ idle: true, stranded: 2 });
    const both = new Map([
      ["alice", 2],
      ["bob", 1],
    ]);
    expect(isIdle({ ...aliceIs("failed"), openDeliveries: both })).toEqual({ idle: false, because: "deliveries" });
  });

  it("is false while a ballot is open [idle.ballot]", () => {
    expect(isIdle({ ...quiet, openBallots: 1 })).toEqual({ idle: false, because: "ballots" });
  });

  it("is false while a tool call waits for a person, and says so, whatever the loops do [approval.asked]", () => {
    const openDeliveries = new Map([["alice", 1]]);
    for (const status of ["idle", "stopped", "failed"] as const) {
      const waits = { idle: false, because: "approvals" };
      expect(isIdle({ ...aliceIs(status), openDeliveries, pendingApprovals: 1 })).toEqual(waits);
    }
  });

  it("is false while setup runs [idle.setup]", () => {
    expect(isIdle({ ...quiet, held: true })).toEqual({ idle: false, because: "held" });
  });

  it("waits out the debounce from the last activity, and says how long [idle.debounce]", () => {
    expect(isIdle({ ...quiet, now: 2999 })).toEqual({ idle: false, because: "debounce", recheckInMs: 1 });
    expect(isIdle({ ...quiet, lastActivity: 3000 })).toEqual({ idle: false, because: "debounce", recheckInMs: 2000 });
    expect(isIdle({ ...quiet, lastActivity: 3000, debounceMs: 0 }).idle).toBe(true);
  });

  it("looks at everything again after the debounce [idle.debounce]", () => {
    const later = { ...quiet, now: 99_999 };
    expect(isIdle({ ...later, openBallots: 1 }).idle).toBe(false);
    expect(isIdle({ ...later, openDeliveries: new Map([["bob", 1]]) }).idle).toBe(false);
    expect(isIdle({ ...later, held: true }).idle).toBe(false);
  });

  it("is true exactly when no part of the condition speaks against it [idle.decision] [idle.failed-loop]", () => {
    const status = fc.constantFrom<LoopStatus>("stopped", "idle", "running", "stopping", "failed");
    const agent = fc.record({ status, open: fc.nat({ max: 2 }) });
    fc.assert(
      fc.property(
        fc.array(agent, { maxLength: 4 }),
        fc.nat({ max: 1 }),
        fc.boolean(),
        fc.integer({ min: 0, max: 4000 }),
        (agents, openBallots, held, now) => {
          const answer = isIdle({
            ...quiet,
            loops: agents.map(({ status: each }, index) => ({ agent: `a${index}`, status: each })),
            openDeliveries: new Map(agents.map(({ open }, index) => [`a${index}`, open])),
            openBallots,
            held,
            now,
          });
          const gone = (each: LoopStatus): boolean => each === "failed" || each === "stopped";
          const busy = agents.some((each) => !gone(each.status) && (each.status !== "idle" || each.open > 0));
          expect(answer.idle).toBe(!busy && openBallots === 0 && !held && now >= 3000);
          expect(answer.idle ? 1 : (answer.recheckInMs ?? 1)).toBeGreaterThan(0);
        },
      ),
      runs(300),
    );
  });
});
