import { describe, expect, it } from "vitest";
import type { DeliveryState } from "../../src/domain/delivery/state.ts";
import { deliveryOutcome, isSuccess, OUTCOMES, requestOutcome, type Outcome } from "../../src/domain/outcome.ts";

const counts = { attempts: 0, preempted: 0 };
const acked = (by: "run" | "agent" | "person"): DeliveryState => ({ ...counts, status: "acked", by });

describe("the outcome of a request", () => {
  it("is the worst of its parts, whatever their order", () => {
    for (const [better, worse] of OUTCOMES.flatMap((each, at) => OUTCOMES.slice(at).map((other) => [each, other]))) {
      expect(requestOutcome([better, worse] as Outcome[])).toBe(worse);
      expect(requestOutcome([worse, better] as Outcome[])).toBe(worse);
    }
  });

  it("is that nobody was woken when there is nothing else to say", () => {
    expect(requestOutcome([])).toBe("nobody_woken");
  });

  it("is a success only when everything was answered or deliberately left unanswered", () => {
    expect(OUTCOMES.filter(isSuccess)).toEqual(["silent", "answered"]);
  });
});

describe("what became of a delivery", () => {
  it.each<[Outcome, DeliveryState, Parameters<typeof deliveryOutcome>[1]]>([
    ["failed", { ...counts, status: "dead", reason: "no such model", outcome: "failed" }, undefined],
    ["incomplete", { ...counts, status: "dead", reason: "no turns left", outcome: "incomplete" }, undefined],
    ["answered", acked("run"), { outcome: "answered", waitsFor: null }],
    ["incomplete", acked("run"), { outcome: "incomplete", waitsFor: null }],
    ["silent", acked("agent"), undefined],
    ["failed", acked("agent"), { outcome: "failed", waitsFor: null }],
    ["stopped", acked("person"), undefined],
    ["parked", { ...counts, status: "pending", notBefore: 9 }, { outcome: null, waitsFor: "quota" }],
    ["parked", { ...counts, status: "leased" }, { outcome: null, waitsFor: "approval" }],
    ["stopped", { ...counts, status: "pending", notBefore: null }, { outcome: null, waitsFor: null }],
    ["stopped", { ...counts, status: "pending", notBefore: null }, undefined],
  ])("is %s: %j", (outcome, state, run) => {
    expect(deliveryOutcome(state, run)).toBe(outcome);
  });
});
