import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type DeliveryInput,
  type DeliveryState,
  type DeliveryStatus,
  newDelivery,
  transition,
} from "../../../src/domain/delivery/state.ts";
import { runs } from "../../property.ts";

const counts = { attempts: 2, preempted: 4 };
const states = {
  pending: { ...counts, status: "pending", notBefore: 700 },
  leased: { ...counts, status: "leased" },
  acked: { ...counts, status: "acked", by: "agent" },
  dead: { ...counts, status: "dead", reason: "exhausted", outcome: "failed" },
} satisfies Record<DeliveryStatus, DeliveryState>;

const inputs = {
  lease: { kind: "lease" },
  yield: { kind: "yield", at: 800 },
  succeed: { kind: "succeed" },
  retry: { kind: "retry", notBefore: 900 },
  park: { kind: "park", until: 950 },
  release: { kind: "release", at: 960 },
  hurry: { kind: "hurry" },
  exhaust: { kind: "exhaust", reason: "permanent", outcome: "incomplete" },
  "lease-lost": { kind: "lease-lost", notBefore: 970 },
  ack: { kind: "ack" },
  revive: { kind: "revive" },
  drop: { kind: "drop" },
} satisfies Record<DeliveryInput["kind"], DeliveryInput>;

const pending = (attempts: number, preempted: number, notBefore: number | null): DeliveryState => ({
  status: "pending",
  attempts,
  preempted,
  notBefore,
});
const leased: DeliveryState = { ...counts, status: "leased" };
const acked = (by: "run" | "agent" | "person"): DeliveryState => ({ ...counts, status: "acked", by });
const dead: DeliveryState = { ...counts, status: "dead", reason: "permanent", outcome: "incomplete" };

/** Written out in full and apart from the product's own table; null is a refusal. */
const expected: Record<DeliveryStatus, Record<DeliveryInput["kind"], DeliveryState | null>> = {
  pending: {
    lease: leased,
    yield: null,
    succeed: null,
    retry: null,
    park: null,
    release: null,
    hurry: pending(2, 4, null),
    exhaust: dead,
    "lease-lost": null,
    ack: acked("agent"),
    revive: null,
    drop: null,
  },
  leased: {
    lease: null,
    yield: pending(2, 5, 800),
    succeed: acked("run"),
    retry: pending(3, 4, 900),
    park: pending(2, 4, 950),
    release: pending(2, 4, 960),
    hurry: null,
    exhaust: dead,
    "lease-lost": pending(2, 4, 970),
    ack: acked("agent"),
    revive: null,
    drop: null,
  },
  acked: {
    lease: null,
    yield: null,
    succeed: states.acked,
    retry: null,
    park: null,
    release: null,
    hurry: null,
    exhaust: null,
    "lease-lost": null,
    ack: states.acked,
    revive: null,
    drop: null,
  },
  dead: {
    lease: null,
    yield: null,
    succeed: null,
    retry: null,
    park: null,
    release: null,
    hurry: null,
    exhaust: null,
    "lease-lost": null,
    ack: null,
    revive: pending(0, 4, null),
    drop: acked("person"),
  },
};

const refusedIn = (status: DeliveryStatus) => ({
  ok: false,
  error: expect.objectContaining({
    code: "conflict",
    message: expect.stringContaining(status),
    hint: expect.any(String),
  }),
});

const pairs = Object.values(states).flatMap((state) => Object.values(inputs).map((input) => ({ state, input })));

describe("transition", () => {
  it("is tested for every pair", () => {
    expect(pairs).toHaveLength(48);
  });

  it.each(pairs)("$state.status + $input.kind [delivery.transitions]", ({ state, input }) => {
    const next = expected[state.status][input.kind];
    expect(transition(state, input)).toEqual(next === null ? refusedIn(state.status) : { ok: true, value: next });
  });

  it("never loses a delivery, never unsettles it, and only failures cost attempts [delivery.transitions]", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Object.values(inputs)), { maxLength: 40 }), (history) => {
        let state = newDelivery();
        for (const input of history) {
          const outcome = transition(state, input);
          if (!outcome.ok) continue;
          const before: DeliveryState = state;
          state = outcome.value;
          expect(before.status === "acked" && state !== before).toBe(false);
          expect(before.status === "dead" && input.kind !== "revive" && input.kind !== "drop").toBe(false);
          expect(state.preempted).toBe(before.preempted + (input.kind === "yield" ? 1 : 0));
          const charged = input.kind === "retry" ? 1 : 0;
          expect(state.attempts).toBe(input.kind === "revive" ? 0 : before.attempts + charged);
        }
      }),
      runs(300),
    );
  });
});
