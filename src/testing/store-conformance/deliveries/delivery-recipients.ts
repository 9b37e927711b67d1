import { deepEqual, partialDeepStrictEqual } from "node:assert/strict";
import { addDelivery as add } from "./add-delivery.ts";
import { T0, write } from "../records.ts";
import type { StoreCase } from "../store-case.ts";

/** Whose a delivery is: its mailbox, and the name of the agent in the space. */
export const deliveryRecipientCases: readonly StoreCase[] = [
  {
    name: "an agent under two names has one mailbox, and each delivery knows its name",
    run: async (store) => {
      await add(store, "dlv_1", { agent: "reviewer" });
      await add(store, "dlv_2");
      await store.read(async ({ deliveries }) => {
        const inbox = async (agent?: string) => {
          const query = { mailbox: "alice", space: "@review:main", limit: 10 };
          const found = await deliveries.inbox(agent === undefined ? query : { ...query, agent });
          return found.map(({ delivery: { id, agent: name } }) => [id, name]);
        };
        deepEqual(await inbox(), [
          ["dlv_1", "reviewer"],
          ["dlv_2", "alice"],
        ]);
        deepEqual(await inbox("reviewer"), [["dlv_1", "reviewer"]]);
        deepEqual(await inbox("alice"), [["dlv_2", "alice"]]);
        deepEqual(Object.fromEntries(await deliveries.countOpenByMailbox("@review:main")), { alice: 2 });
        deepEqual(Object.fromEntries(await deliveries.countOpenByAgent("@review:main")), { alice: 1, reviewer: 1 });
      });
    },
  },
  {
    name: "a pending delivery is given to another mailbox under the same name, without its run",
    run: async (store) => {
      await add(store, "dlv_1", { agent: "reviewer" });
      await write(store, async ({ deliveries }) => {
        await deliveries.readdress("dlv_1", "reviewer@review:main");
        partialDeepStrictEqual((await deliveries.byIds(["dlv_1"]))[0], {
          mailbox: "reviewer@review:main",
          agent: "reviewer",
        });
        await deliveries.readdress("dlv_1", "bob");
      });
      const [found] = await store.read((reads) => reads.deliveries.byIds(["dlv_1"]));
      partialDeepStrictEqual(found, { mailbox: "bob", agent: "reviewer", run: null });
    },
  },
  {
    name: "the next deliveries may leave out spaces",
    spaces: ["@review:main", "@other:main"],
    run: async (store) => {
      await add(store, "dlv_1");
      await add(store, "dlv_2", { space: "@other:main" });
      const heads = (...except: string[]) =>
        store.read(async ({ deliveries }) =>
          (await deliveries.heads("alice", T0, new Set(except))).map(({ id }) => id),
        );
      deepEqual(await heads(), ["dlv_1"]);
      deepEqual(await heads("@review:main"), ["dlv_2"]);
      deepEqual(await heads("@review:main", "@other:main"), []);
    },
  },
];
