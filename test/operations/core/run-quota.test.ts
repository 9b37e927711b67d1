import { describe, expect, it } from "vitest";
import { MINUTE_LIMITS, RUN_LIMITS } from "../../../src/domain/budget/run-quota.ts";
import { person, systemCaller, type Caller } from "../../../src/kernel/caller.ts";
import { createRunQuota } from "../../../src/operations/core/run-quota.ts";

const T0 = 1_700_000_000_000;
const NO_LIMITS = { messages: 1e9, documents: 1e9, ballots: 1e9, notes: 1e9, changes: 1e9, bytes: 1e12 };

function agent(name: string, run: string | null, space = "@review:main"): Caller {
  return { kind: "agent", name, space, run, cause: null };
}

/** Makes this many proposals at once, and returns how many were accepted. */
function accepted(
  quota: ReturnType<typeof createRunQuota>,
  caller: Caller,
  many: number,
  at = T0,
  name = "send-message",
) {
  return Array.from({ length: many }, () => quota.charge(caller, name, {}, at)).filter(({ ok }) => ok).length;
}

describe("the quota of a run", () => {
  it("lets an agent make so many changes in any minute, and more when the oldest is a minute old", () => {
    const quota = createRunQuota();
    const alice = agent("alice", "run_1");
    expect(accepted(quota, alice, 30)).toBe(30);
    expect(accepted(quota, alice, 50, T0 + 30_000)).toBe(MINUTE_LIMITS.messages - 30);
    expect(accepted(quota, alice, 1, T0 + 59_999)).toBe(0);
    expect(accepted(quota, alice, 50, T0 + 60_000)).toBe(30);
  });

  it("says what the limit is, and when it is free again", () => {
    const quota = createRunQuota();
    const alice = agent("alice", "run_1");
    accepted(quota, alice, MINUTE_LIMITS.messages);
    expect(quota.charge(alice, "send-message", {}, T0 + 17_500)).toMatchObject({
      ok: false,
      error: {
        code: "limited",
        message: "alice has used up its quota of a minute: 60 messages.",
        hint: expect.stringContaining("Go on in 43 s"),
        details: { kind: "messages", limit: 60, per: "minute", retryAfterSeconds: 43 },
      },
    });
  });

  it("lets a run make so many changes however long it takes, and the next run begins anew", () => {
    const quota = createRunQuota({ minute: NO_LIMITS });
    expect(accepted(quota, agent("alice", "run_1"), RUN_LIMITS.messages + 5)).toBe(RUN_LIMITS.messages);
    expect(quota.charge(agent("alice", "run_1"), "send-message", {}, T0 + 3_600_000)).toMatchObject({
      error: { code: "limited", details: { per: "run", limit: 200 }, hint: expect.stringContaining("next run") },
    });
    expect(accepted(quota, agent("alice", "run_2"), 1)).toBe(1);
  });

  it("counts each kind by itself, and what has no kind together", () => {
    const quota = createRunQuota();
    const alice = agent("alice", "run_1");
    expect(accepted(quota, alice, 100, T0, "create-ballot")).toBe(MINUTE_LIMITS.ballots);
    expect(accepted(quota, alice, 40, T0, "add-note") + accepted(quota, alice, 40, T0, "add-todo")).toBe(60);
    expect(accepted(quota, alice, 150, T0, "cast-vote") + accepted(quota, alice, 150, T0, "set-status")).toBe(200);
    expect(accepted(quota, alice, 1)).toBe(1);
  });

  it("counts bytes of whatever is stored", () => {
    const quota = createRunQuota();
    const text = "é".repeat(4 * 1024 * 1024 - 100);
    const store = (at: number) => quota.charge(agent("alice", "run_1"), "add-note", { text }, at).ok;
    expect([store(T0), store(T0 + 1), store(T0 + 2)]).toEqual([true, true, false]);
  });

  it("leaves others alone: another agent, the same name in another space, persons, the system", () => {
    const quota = createRunQuota();
    accepted(quota, agent("alice", "run_1"), 1000);
    expect(accepted(quota, agent("bob", "run_2"), 1)).toBe(1);
    expect(accepted(quota, agent("alice", "run_3", "@other:main"), 1)).toBe(1);
    expect(accepted(quota, person, 1000)).toBe(1000);
    expect(accepted(quota, systemCaller, 1000)).toBe(1000);
    expect(accepted(quota, agent("rule", null), 1000)).toBe(1000);
  });

  it("does not count what was not accepted", () => {
    const quota = createRunQuota();
    const alice = agent("alice", "run_1");
    for (let number = 0; number < 1000; number += 1) {
      const charged = quota.charge(alice, "send-message", { number }, T0);
      if (charged.ok) charged.value.takeBack();
    }
    expect(accepted(quota, alice, 1000)).toBe(MINUTE_LIMITS.messages);
  });

  it("remembers no more runs than it needs", () => {
    const quota = createRunQuota({ minute: NO_LIMITS });
    for (let number = 0; number < 5000; number += 1) accepted(quota, agent("alice", `run_${number}`), 1);
    expect(accepted(quota, agent("alice", "run_4999"), 1000)).toBe(RUN_LIMITS.messages - 1);
    expect(accepted(quota, agent("alice", "run_0"), 1000)).toBe(RUN_LIMITS.messages);
  });
});
