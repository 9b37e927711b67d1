import { describe, expect, it } from "vitest";
import { LOOP_WINDOW, type ChainMessage, detectLoop } from "../../../src/domain/causal/breaker.ts";
import { DEFAULT_LIMITS } from "../../../src/domain/causal/budget.ts";

const NEAR_EMPTY_CHARS = 40;

const exchange = (senders: string[], body: (index: number) => string, length = LOOP_WINDOW): ChainMessage[] =>
  Array.from({ length }, (_, index) => ({ sender: senders[index % senders.length] ?? "", body: body(index) }));

const thanks = (index: number): string => (index % 2 === 0 ? "@bob Thank you so much!" : "@alice You're welcome! 😊");

describe("detectLoop", () => {
  it("stops two agents that only thank each other, before the budget is gone [causal.ping-pong]", () => {
    expect(LOOP_WINDOW).toBeLessThan(DEFAULT_LIMITS.hops);
    const reason = detectLoop(exchange(["alice", "bob"], thanks));
    expect(reason).toMatch(/^alice and bob have exchanged 12 near-empty messages.*person/);
    expect(reason).not.toContain("@");
  });

  it("stops a ring of three [causal.ping-pong]", () => {
    expect(detectLoop(exchange(["alice", "bob", "carol"], () => "ok"))).toContain("alice, bob and carol");
  });

  it("looks at the last messages only", () => {
    const work = exchange(["alice", "bob"], () => "a long and thoughtful message ".repeat(5), 30);
    expect(detectLoop([...work, ...exchange(["alice", "bob"], thanks)])).not.toBeNull();
    expect(detectLoop([...exchange(["alice", "bob"], thanks), ...work])).toBeNull();
  });

  it.each<[string, ChainMessage[]]>([
    ["nothing was said", []],
    ["it has just begun", exchange(["alice", "bob"], thanks, LOOP_WINDOW - 1)],
    ["four agents take part", exchange(["alice", "bob", "carol", "dan"], () => "ok")],
    ["one agent speaks alone", exchange(["alice"], () => "step")],
    [
      "one agent speaks twice running",
      [...exchange(["a", "b"], thanks, 10), { sender: "b", body: "" }, { sender: "b", body: "" }],
    ],
    ["the person takes part", exchange(["user", "alice"], () => "ok")],
    ["the system takes part", exchange(["system", "alice"], () => "ok")],
    ["one message says something", exchange(["a", "b"], (i) => (i === 5 ? "x".repeat(NEAR_EMPTY_CHARS + 1) : "ok"))],
  ])("does nothing when %s", (_, recent) => {
    expect(detectLoop(recent)).toBeNull();
  });

  it("does not count mentions and spaces as something said", () => {
    const body = `  @${"b".repeat(60)}   @${"c".repeat(60)}\n\n${"x".repeat(NEAR_EMPTY_CHARS)}  `;
    expect(detectLoop(exchange(["alice", "bob"], () => body))).not.toBeNull();
  });

  it("leaves a thousand hops alone when the person raised the hop limit", () => {
    const game = exchange(["alice", "bob"], (index) => `@${index % 2 === 0 ? "bob" : "alice"} ${index}`, 1000);
    const raised = { ...DEFAULT_LIMITS, hops: 1000 };
    for (let length = 0; length <= game.length; length += 1)
      expect(detectLoop(game.slice(0, length), raised)).toBeNull();
    expect(detectLoop(game)).not.toBeNull();
  });
});
