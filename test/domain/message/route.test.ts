import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageKind } from "../../../src/domain/message/message.ts";
import { type Route, route } from "../../../src/domain/message/route.ts";
import type { Target } from "../../../src/domain/message/target.ts";
import { runs } from "../../property.ts";

const MAX_FAN_OUT = 1000;

const toAlice: Target = { kind: "dm", agent: "alice" };
const aliceInReview: Target = { kind: "agent", agent: "alice", workflow: "review", tag: "main" };
const review: Target = { kind: "channel", workflow: "review", tag: "main" };

const to = (target: Target, sender: string, mentioned: string[] = [], kind: MessageKind = "message"): string[] => {
  const routes = route({ target, sender, mentioned, kind });
  return routes.ok ? routes.value.map(({ recipient, lane }: Route) => `${recipient} ${lane}`) : [routes.error.code];
};

describe("route", () => {
  it("sends a direct message to its agent at once [route.dm-immediate]", () => {
    expect(to(toAlice, "user")).toEqual(["alice immediate"]);
    expect(to(toAlice, "bob")).toEqual(["alice immediate"]);
  });

  it("calls nobody else from a direct message [route.dm-text-only]", () => {
    expect(to(toAlice, "user", ["bob", "alice"])).toEqual(["alice immediate"]);
    expect(to(toAlice, "alice", ["bob"])).toEqual([]);
  });

  it("sends to an agent inside a workspace in the normal lane [route.direct-send-normal]", () => {
    expect(to(aliceInReview, "user")).toEqual(["alice normal"]);
  });

  it("adds the mentioned to the one target [route.one-target]", () => {
    expect(to(aliceInReview, "user", ["bob", "carol"])).toEqual(["alice normal", "bob immediate", "carol immediate"]);
  });

  it("takes the more urgent lane, once [route.most-urgent-once]", () => {
    expect(to(aliceInReview, "user", ["bob", "alice", "bob"])).toEqual(["alice immediate", "bob immediate"]);
  });

  it("sends a channel message to the mentioned at once, in their order [route.mention-immediate]", () => {
    expect(to(review, "user", ["bob", "alice"])).toEqual(["bob immediate", "alice immediate"]);
    expect(to(review, "user", ["bob"], "kickoff")).toEqual(["bob immediate"]);
  });

  it("sends a channel message that mentions nobody to nobody [route.unmentioned-pull]", () => {
    expect(to(review, "user")).toEqual([]);
  });

  it("sends what a schedule says in the background [route.schedule-background]", () => {
    expect(to(toAlice, "system", [], "prompt")).toEqual(["alice background"]);
    expect(to(aliceInReview, "system", ["bob"], "prompt")).toEqual(["alice background", "bob background"]);
    expect(to(review, "system", [], "prompt")).toEqual([]);
  });

  it("sends notices in the background", () => {
    expect(to(aliceInReview, "system", [], "notice")).toEqual(["alice background"]);
    expect(to(review, "system", ["bob"], "notice")).toEqual(["bob background"]);
  });

  it("delivers to no sender, no person and no system [mention.not-self]", () => {
    expect(to(aliceInReview, "alice", ["alice", "bob"])).toEqual(["bob immediate"]);
    expect(to(review, "alice", ["user", "system", "all", "alice"])).toEqual([]);
    expect(to({ kind: "dm", agent: "user" }, "alice")).toEqual([]);
  });

  it("refuses more recipients than the cap, and delivers to none of them [mention.fan-out-cap]", () => {
    const crowd = Array.from({ length: MAX_FAN_OUT + 1 }, (_, index) => `a${index}`);
    expect(to(review, "user", crowd)).toEqual(["too_large"]);
    expect(to(review, "a0", crowd)).toHaveLength(MAX_FAN_OUT);
    expect(to(aliceInReview, "a0", crowd)).toEqual(["too_large"]);
  });

  it("is one delivery per recipient, never to the sender, whatever is sent [delivery.one-per-recipient]", () => {
    const who = fc.constantFrom("alice", "bob", "carol", "dan", "user", "system");
    const target = fc.oneof(
      fc.record({ kind: fc.constant("dm" as const), agent: who }),
      fc.record({ kind: fc.constant("agent" as const), agent: who, workflow: fc.constant("w"), tag: fc.constant("t") }),
      fc.constant(review),
    );
    const kind = fc.constantFrom<MessageKind>("message", "kickoff", "notice", "prompt");
    fc.assert(
      fc.property(target, who, fc.array(who, { maxLength: 8 }), kind, (goal, sender, mentioned, kindOf) => {
        const routed = route({ target: goal, sender, mentioned, kind: kindOf });
        expect(routed.ok).toBe(true);
        const routes = routed.ok ? routed.value : [];
        const recipients = routes.map(({ recipient }) => recipient);
        expect(new Set(recipients).size).toBe(recipients.length);
        for (const nobody of [sender, "user", "system"]) expect(recipients).not.toContain(nobody);
        for (const recipient of recipients) {
          expect(goal.kind === "dm" ? [goal.agent] : [...mentioned, goal.kind === "agent" && goal.agent]).toContain(
            recipient,
          );
        }
        const quiet = kindOf === "notice" || kindOf === "prompt";
        expect(routes.every(({ lane }) => (lane === "background") === quiet)).toBe(true);
      }),
      runs(300),
    );
  });
});
