import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CausalTree,
  type Charge,
  DEFAULT_LIMITS,
  causalLimits,
  chargeMessage,
  chargeTokens,
  chargeTurn,
  checkStep,
  newTree,
  nextCausality,
  exceedChainBudget,
} from "../../../src/domain/causal/budget.ts";
import { runs } from "../../property.ts";

const limits = { hops: 3, turns: 2, tokens: 100 };

describe("nextCausality", () => {
  const cause = { id: "msg_2", causality: { root: "msg_1", cause: "msg_1", depth: 1 } };

  it("makes what nobody caused its own root [causal.root]", () => {
    expect(nextCausality(null, { id: "msg_1", sender: "alice" })).toEqual({ root: "msg_1", cause: null, depth: 0 });
  });

  it("puts what was caused one deeper in the same tree [causal.child]", () => {
    const child = { root: "msg_1", cause: "msg_2", depth: 2 };
    expect(nextCausality(cause, { id: "msg_3", sender: "alice" })).toEqual(child);
    expect(nextCausality(cause, { id: "msg_3", sender: "system" })).toEqual(child);
  });

  it("starts a new tree with whatever a person says [causal.breaker-person]", () => {
    expect(nextCausality(cause, { id: "msg_3", sender: "user" })).toEqual({ root: "msg_3", cause: null, depth: 0 });
  });
});

describe("causalLimits", () => {
  it("takes each limit from the closest budget that names it", () => {
    expect(causalLimits()).toEqual(DEFAULT_LIMITS);
    expect(causalLimits({ hops: 5 }, undefined, { hops: 9, turns: 7 })).toEqual({
      ...DEFAULT_LIMITS,
      hops: 5,
      turns: 7,
    });
    expect(causalLimits({ tokens: 0 }, { tokens: 9 }).tokens).toBe(0);
  });
});

describe("a causal tree", () => {
  it("trips on the message that is one hop too deep [causal.hops]", () => {
    let charge: Charge = { tree: newTree("r"), tripped: null };
    for (const depth of [0, 1, 2, 3]) {
      charge = chargeMessage(charge.tree, { depth, at: depth }, limits);
      expect(charge.tripped).toBeNull();
    }
    expect(charge.tree).toMatchObject({ messages: 4, maxDepth: 3 });
    charge = chargeMessage(charge.tree, { depth: 4, at: 44 }, limits);
    expect(charge).toMatchObject({ tripped: { at: 44 }, tree: { messages: 4, maxDepth: 3 } });
    expect(charge.tripped?.reason).toMatch(/3 hops.*person/);
  });

  it("trips on the run that is one too many [causal.turns]", () => {
    const two = chargeTurn(chargeTurn(newTree("r"), 1, limits).tree, 2, limits);
    expect(two).toMatchObject({ tripped: null, tree: { turns: 2 } });
    const three = chargeTurn(two.tree, 3, limits);
    expect(three).toMatchObject({ tripped: { reason: expect.stringContaining("2 turns") }, tree: { turns: 2 } });
  });

  it("trips when the tokens are used up, and starts nothing more [causal.tokens]", () => {
    const exact = chargeTokens(newTree("r"), { tokens: 100, at: 1 }, limits);
    expect(exact.tripped).toBeNull();
    expect(chargeTurn(exact.tree, 2, limits).tripped?.reason).toContain("100 tokens");
    const over = chargeTokens(newTree("r"), { tokens: 101, at: 1 }, limits);
    expect(over).toMatchObject({ tripped: { reason: expect.stringContaining("100 tokens") }, tree: { tokens: 100 } });
  });

  it("lets no run take another step once its tokens are used up [causal.tokens]", () => {
    const some = chargeTokens(newTree("r"), { tokens: 99, at: 1 }, limits).tree;
    expect(checkStep(some, 2, limits)).toEqual({ tree: some, tripped: null });
    const exact = chargeTokens(some, { tokens: 1, at: 3 }, limits).tree;
    const stopped = checkStep(exact, 4, limits);
    expect(stopped).toMatchObject({ tripped: { at: 4, reason: expect.stringContaining("100 tokens") } });
    expect(checkStep(stopped.tree, 5, limits)).toEqual(stopped);
  });

  it("that tripped for another reason lets runs under way finish, and still counts what they use [causal.tokens]", () => {
    const deep = chargeMessage(newTree("r"), { depth: 9, at: 5 }, limits);
    const used = chargeTokens(deep.tree, { tokens: 60, at: 6 }, limits);
    expect(used).toEqual({ tree: { ...deep.tree, tokens: 60 }, tripped: deep.tripped });
    expect(checkStep(used.tree, 7, limits).tripped).toBeNull();
    const full = chargeTokens(used.tree, { tokens: 60, at: 8 }, limits);
    expect(full).toMatchObject({ tree: { tokens: 100 }, tripped: deep.tripped });
    expect(checkStep(full.tree, 9, limits).tripped).toEqual(deep.tripped);
  });

  it("stays tripped for its first reason, even if the limits are raised later [causal.breaker-person]", () => {
    const tripped = chargeMessage(newTree("r"), { depth: 9, at: 5 }, limits);
    const again = [
      chargeMessage(tripped.tree, { depth: 0, at: 6 }, DEFAULT_LIMITS),
      chargeTurn(tripped.tree, 6, DEFAULT_LIMITS),
    ];
    for (const charge of again) expect(charge).toEqual(tripped);
    expect(exceedChainBudget(tripped.tree, { reason: "other", at: 7 })).toBe(tripped.tree);
    expect(exceedChainBudget(newTree("r"), { reason: "other", at: 7 }).tripped).toEqual({ reason: "other", at: 7 });
  });

  it("counts up only, never past a limit [causal.hops] [causal.turns] [causal.tokens]", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("message" as const), depth: fc.nat({ max: 12 }) }),
      fc.record({ kind: fc.constant("turn" as const) }),
      fc.record({ kind: fc.constant("tokens" as const), tokens: fc.integer({ min: -50, max: 300 }) }),
    );
    const anyLimits = fc.record({
      hops: fc.nat({ max: 10 }),
      turns: fc.nat({ max: 10 }),
      tokens: fc.nat({ max: 1000 }),
    });
    fc.assert(
      fc.property(anyLimits, fc.array(step, { maxLength: 40 }), (max, steps) => {
        let tree: CausalTree = newTree("r");
        for (const [at, each] of steps.entries()) {
          const before = tree;
          const charge: Charge =
            each.kind === "message"
              ? chargeMessage(tree, { depth: each.depth, at }, max)
              : each.kind === "turn"
                ? chargeTurn(tree, at, max)
                : chargeTokens(tree, { tokens: each.tokens, at }, max);
          tree = charge.tree;
          for (const counter of ["messages", "turns", "tokens", "maxDepth"] as const) {
            expect(tree[counter]).toBeGreaterThanOrEqual(before[counter]);
          }
          expect(tree.turns).toBeLessThanOrEqual(max.turns);
          expect(tree.tokens).toBeLessThanOrEqual(max.tokens);
          expect(tree.maxDepth).toBeLessThanOrEqual(max.hops);
          expect(tree.tripped).toBe(charge.tripped);
          if (before.tripped === null) continue;
          expect({ ...tree, tokens: 0 }).toEqual({ ...before, tokens: 0 });
          expect(each.kind === "tokens" || tree === before).toBe(true);
        }
      }),
      runs(300),
    );
  });
});
