import { deepEqual } from "node:assert/strict";
import type { DeliveryState } from "../../../domain/delivery/state.ts";
import { addDelivery as add } from "./add-delivery.ts";
import { T0, write } from "../records.ts";
import type { StoreCase } from "../store-case.ts";

const LEASED: DeliveryState = { status: "leased", attempts: 0, preempted: 0 };
const DEAD: DeliveryState = { status: "dead", attempts: 3, preempted: 0, reason: "gave up", outcome: "failed" };

/** What became of a message is read from its deliveries. */
export const deliveryAnswerCases: readonly StoreCase[] = [
  {
    name: "a delivery whose sender waits for the answer says so in every state",
    run: async (store) => {
      await add(store, "dlv_1", { awaited: true });
      await add(store, "dlv_2");
      const progress = { state: LEASED, leaseOwner: "own_1", run: "run_1" };
      await write(store, ({ deliveries }) =>
        deliveries.advance("dlv_1", { status: "pending", leaseOwner: null }, progress),
      );
      const found = await store.read((reads) => reads.deliveries.byIds(["dlv_1", "dlv_2"]));
      deepEqual(
        found.map(({ awaited }) => awaited),
        [true, false],
      );
    },
  },
  {
    name: "deliveries are found by their message, and by their space since a time, settled or not",
    run: async (store) => {
      await add(store, "dlv_1");
      await add(store, "dlv_2", { enqueuedAt: T0 + 5 });
      await add(store, "dlv_3", { space: "@other:main", enqueuedAt: T0 + 5 });
      await write(store, ({ deliveries }) =>
        deliveries.advance(
          "dlv_2",
          { status: "pending", leaseOwner: null },
          { state: DEAD, leaseOwner: null, run: null },
        ),
      );
      const ids = await store.read(async ({ deliveries }) => ({
        ofMessage: (await deliveries.ofMessage("msg_of_dlv_2")).map(({ id }) => id),
        ofNone: await deliveries.ofMessage("msg_9"),
        all: (await deliveries.since("@review:main", T0)).map(({ id }) => id),
        later: (await deliveries.since("@review:main", T0 + 1)).map(({ id }) => id),
      }));
      deepEqual(ids, { ofMessage: ["dlv_2"], ofNone: [], all: ["dlv_1", "dlv_2"], later: ["dlv_2"] });
    },
  },
];
