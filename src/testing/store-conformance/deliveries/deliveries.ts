import { deepEqual, equal, partialDeepStrictEqual } from "node:assert/strict";
import type { DeliveryState } from "../../../domain/delivery/state.ts";
import type { Store } from "../../../ports/store/store.ts";
import { addDelivery as add } from "./add-delivery.ts";
import { T0, workspace, write } from "../records.ts";
import type { StoreCase } from "../store-case.ts";

const PENDING: DeliveryState = { status: "pending", attempts: 0, preempted: 0, notBefore: null };
const LEASED: DeliveryState = { status: "leased", attempts: 0, preempted: 0 };
const ACKED: DeliveryState = { status: "acked", attempts: 0, preempted: 0, by: "run" };
const DEAD: DeliveryState = { status: "dead", attempts: 3, preempted: 0, reason: "gave up", outcome: "failed" };

export const deliveryCases: readonly StoreCase[] = [
  {
    name: "a delivery is born pending and knows its message",
    run: async (store) => {
      await add(store, "dlv_1", { lane: "background", mailbox: "bob@review:main" });
      const [found] = await store.read((reads) => reads.deliveries.byIds(["dlv_1"]));
      deepEqual(found, {
        seq: found?.seq,
        id: "dlv_1",
        message: "msg_of_dlv_1",
        space: "@review:main",
        mailbox: "bob@review:main",
        agent: "bob",
        lane: "background",
        enqueuedAt: T0,
        state: PENDING,
        leaseOwner: null,
        run: null,
        awaited: false,
      });
    },
  },
  {
    name: "deliveries are found by their ids in the requested order, without unknown ones",
    run: async (store) => {
      for (const id of ["dlv_1", "dlv_2", "dlv_3"]) await add(store, id);
      const found = await store.read((reads) => reads.deliveries.byIds(["dlv_3", "dlv_9", "dlv_1", "dlv_3"]));
      deepEqual(
        found.map(({ id }) => id),
        ["dlv_3", "dlv_1", "dlv_3"],
      );
    },
  },
  {
    name: "every state of a delivery is stored whole",
    run: async (store) => {
      const states: DeliveryState[] = [
        { status: "pending", attempts: 2, preempted: 1, notBefore: T0 + 5 },
        { status: "leased", attempts: 1, preempted: 4 },
        { status: "acked", attempts: 1, preempted: 0, by: "agent" },
        { status: "acked", attempts: 0, preempted: 0, by: "person" },
        { status: "dead", attempts: 5, preempted: 2, reason: "no such model", outcome: "failed" },
        { status: "dead", attempts: 0, preempted: 0, reason: "no turns left", outcome: "incomplete" },
      ];
      for (const [n, state] of states.entries()) {
        const id = `dlv_${n}`;
        await add(store, id);
        const progress = { state, leaseOwner: `own_${n}`, run: `run_${n}` };
        const moved = await write(store, ({ deliveries }) =>
          deliveries.advance(id, { status: "pending", leaseOwner: null }, progress),
        );
        equal(moved, true);
        const [found] = await store.read((reads) => reads.deliveries.byIds([id]));
        partialDeepStrictEqual(found, progress);
      }
    },
  },
  {
    name: "the inbox is what is open for one mailbox in one space, oldest first",
    run: async (store) => {
      for (const id of ["dlv_9", "dlv_8", "dlv_7", "dlv_6", "dlv_5"]) await add(store, id);
      await add(store, "dlv_other_space", { space: "alice" });
      await add(store, "dlv_other_mailbox", { mailbox: "bob" });
      await move(store, "dlv_8", LEASED);
      await move(store, "dlv_7", ACKED);
      await move(store, "dlv_6", DEAD);
      const inbox = await store.read((reads) =>
        reads.deliveries.inbox({ mailbox: "alice", space: "@review:main", limit: 10 }),
      );
      deepEqual(
        inbox.map(({ delivery: { id } }) => id),
        ["dlv_9", "dlv_8", "dlv_5"],
      );
      deepEqual(
        inbox.map((each) => each.message.id),
        ["msg_of_dlv_9", "msg_of_dlv_8", "msg_of_dlv_5"],
      );
      equal(inbox[0]?.message.body, "text of msg_of_dlv_9");
      const one = await store.read((reads) =>
        reads.deliveries.inbox({ mailbox: "alice", space: "@review:main", limit: 1 }),
      );
      deepEqual(
        one.map(({ delivery: { id } }) => id),
        ["dlv_9"],
      );
      equal(await store.read((reads) => reads.deliveries.countOpen("@review:main")), 4);
      equal(await store.read((reads) => reads.deliveries.countOpen("alice")), 1);
      equal(await store.read((reads) => reads.deliveries.countOpen("@none:main")), 0);
    },
  },
  {
    name: "open deliveries are counted by mailbox and by lane, pending and leased alike",
    run: async (store) => {
      await add(store, "dlv_1");
      await add(store, "dlv_2");
      await add(store, "dlv_3", { lane: "immediate", space: "alice" });
      await add(store, "dlv_4", { mailbox: "bob", lane: "background" });
      await add(store, "dlv_5", { mailbox: "carol" });
      await move(store, "dlv_2", LEASED);
      await move(store, "dlv_5", ACKED);
      await add(store, "dlv_6");
      await move(store, "dlv_6", DEAD);
      await store.read(async ({ deliveries }) => {
        deepEqual(await deliveries.backlog(), { pending: 3, dead: 1 });
        deepEqual(await deliveries.countOpenByMailbox("@review:main"), new Map(Object.entries({ alice: 2, bob: 1 })));
        deepEqual(await deliveries.countOpenByLane(), [
          { mailbox: "alice", lane: "immediate", count: 1 },
          { mailbox: "alice", lane: "normal", count: 2 },
          { mailbox: "bob", lane: "background", count: 1 },
        ]);
      });
    },
  },
  {
    name: "a run's deliveries are the open ones it works on or gave way with, oldest first",
    run: async (store) => {
      for (const id of ["dlv_4", "dlv_3", "dlv_2", "dlv_1", "dlv_0"]) await add(store, id);
      await move(store, "dlv_4", LEASED, "own_1", "run_1");
      await move(store, "dlv_3", PENDING, null, "run_1");
      await move(store, "dlv_2", ACKED, null, "run_1");
      await move(store, "dlv_1", LEASED, "own_1", "run_2");
      const ofRun = (run: string) =>
        store.read(async (reads) => (await reads.deliveries.ofRun(run)).map(({ id }) => id));
      deepEqual(await ofRun("run_1"), ["dlv_4", "dlv_3"]);
      deepEqual(await ofRun("run_3"), []);
    },
  },
  {
    name: "the next due is the earliest time a waiting delivery may be leased",
    run: async (store) => {
      for (const id of ["dlv_1", "dlv_2", "dlv_3", "dlv_4"]) await add(store, id);
      await add(store, "dlv_bob", { mailbox: "bob" });
      await move(store, "dlv_2", { ...PENDING, notBefore: T0 + 20 });
      await move(store, "dlv_3", { ...PENDING, notBefore: T0 + 10 });
      await move(store, "dlv_4", { ...PENDING, notBefore: T0 + 5 });
      await move(store, "dlv_bob", { ...PENDING, notBefore: T0 + 1 });
      const nextDue = (now: number) => store.read((reads) => reads.deliveries.nextDue("alice", now));
      equal(await nextDue(T0), T0 + 5);
      equal(await nextDue(T0 + 5), T0 + 10);
      equal(await nextDue(T0 + 20), null);
    },
  },
  {
    name: "the heads are the oldest of each lane, over all spaces, and what came back and whose time has come",
    run: async (store) => {
      await add(store, "dlv_b1", { lane: "background" });
      await add(store, "dlv_n1", { lane: "normal" });
      await add(store, "dlv_n2", { lane: "normal", space: "@other:main" });
      await add(store, "dlv_i1", { lane: "immediate" });
      await add(store, "dlv_i2", { lane: "immediate", mailbox: "bob" });
      const heads = (now: number) =>
        store.read(async (reads) => (await reads.deliveries.heads("alice", now)).map(({ id }) => id));
      deepEqual(await heads(T0), ["dlv_i1", "dlv_n1", "dlv_b1"]);
      await move(store, "dlv_n1", { ...PENDING, notBefore: T0 + 10 });
      deepEqual(await heads(T0 + 9), ["dlv_i1", "dlv_n2", "dlv_b1"]);
      deepEqual(await heads(T0 + 10), ["dlv_i1", "dlv_n2", "dlv_b1", "dlv_n1"]);
      await move(store, "dlv_n2", { ...PENDING, preempted: 1 });
      deepEqual(await heads(T0), ["dlv_i1", "dlv_b1", "dlv_n2"]);
      await move(store, "dlv_i1", LEASED);
      await move(store, "dlv_b1", ACKED);
      deepEqual(await heads(T0 + 10), ["dlv_n1", "dlv_n2"]);
      deepEqual(await store.read((reads) => reads.deliveries.heads("nobody", T0)), []);
    },
  },
  {
    name: "what is pending in one space leaves out what is leased and what must wait",
    run: async (store) => {
      for (const id of ["dlv_1", "dlv_2", "dlv_3", "dlv_4"]) await add(store, id);
      await add(store, "dlv_elsewhere", { space: "alice" });
      await move(store, "dlv_1", LEASED);
      await move(store, "dlv_2", { ...PENDING, notBefore: T0 + 10 });
      const pending = (now: number, limit: number) =>
        store.read(async (reads) =>
          (await reads.deliveries.pending({ mailbox: "alice", space: "@review:main", now, limit })).map(({ id }) => id),
        );
      deepEqual(await pending(T0, 9), ["dlv_3", "dlv_4"]);
      deepEqual(await pending(T0 + 10, 2), ["dlv_2", "dlv_3"]);
    },
  },
  {
    name: "dead letters are listed newest first, of one space or of all",
    run: async (store) => {
      for (const id of ["dlv_3", "dlv_1", "dlv_2"])
        await add(store, id, id === "dlv_1" ? { space: "@other:main" } : {});
      await add(store, "dlv_alive");
      for (const id of ["dlv_1", "dlv_2", "dlv_3"]) await move(store, id, DEAD);
      const dead = (query: { space?: string; limit: number }) =>
        store.read(async (reads) => (await reads.deliveries.dead(query)).map((each) => each.delivery.id));
      deepEqual(await dead({ limit: 9 }), ["dlv_2", "dlv_1", "dlv_3"]);
      deepEqual(await dead({ limit: 2 }), ["dlv_2", "dlv_1"]);
      deepEqual(await dead({ space: "@review:main", limit: 9 }), ["dlv_2", "dlv_3"]);
    },
  },
  {
    name: "the mailboxes with pending work are named once each, leased and settled work not counted",
    run: async (store) => {
      await add(store, "dlv_1", { mailbox: "bob" });
      await add(store, "dlv_2", { mailbox: "alice" });
      await add(store, "dlv_3", { mailbox: "alice" });
      await add(store, "dlv_4", { mailbox: "carol" });
      await add(store, "dlv_5", { mailbox: "dave" });
      await move(store, "dlv_4", LEASED);
      await move(store, "dlv_5", ACKED);
      const mailboxes = await store.read((reads) => reads.deliveries.mailboxesWithPending());
      deepEqual(mailboxes.toSorted(), ["alice", "bob"]);
    },
  },
  {
    name: "what waits in a workspace that is closed or being set up rests, and is back when it is opened",
    run: async (store, provider) => {
      const SPACE = "@review:main";
      await add(store, "dlv_1");
      await add(store, "dlv_2");
      await move(store, "dlv_2", { ...PENDING, notBefore: T0 + 50 });
      const found = () =>
        store.read(async ({ deliveries }) => ({
          heads: (await deliveries.heads("alice", T0 + 10)).length,
          returned: (await deliveries.heads("alice", T0 + 60)).length,
          nextDue: await deliveries.nextDue("alice", T0 + 10),
          mailboxes: await deliveries.mailboxesWithPending(),
        }));
      const awake = { heads: 1, returned: 2, nextDue: T0 + 50, mailboxes: ["alice"] };
      const resting = { heads: 0, returned: 0, nextDue: null, mailboxes: [] };
      deepEqual(await found(), awake);
      await write(store, ({ workspaces }) => workspaces.open(workspace(SPACE, { provider })));
      deepEqual(await found(), awake);
      await write(store, ({ instances }) => instances.save({ space: SPACE, phase: "setup", untilIdle: false }));
      deepEqual(await found(), resting);
      await write(store, ({ instances }) => instances.save({ space: SPACE, phase: "started", untilIdle: false }));
      deepEqual(await found(), awake);
      await write(store, ({ workspaces }) => workspaces.close(SPACE, T0 + 1));
      deepEqual(await found(), resting);
    },
  },
  {
    name: "leases of other owners are found, this one's own are not",
    run: async (store) => {
      for (const id of ["dlv_1", "dlv_2", "dlv_3", "dlv_4", "dlv_5"]) await add(store, id);
      await move(store, "dlv_1", LEASED, "own_dead");
      await move(store, "dlv_2", LEASED, "own_me");
      await move(store, "dlv_3", LEASED, null);
      await move(store, "dlv_4", ACKED, "own_dead");
      const left = (limit: number) =>
        store.read(async (reads) => (await reads.deliveries.leasedByOthers("own_me", limit)).map(({ id }) => id));
      deepEqual(await left(9), ["dlv_1", "dlv_3"]);
      deepEqual(await left(1), ["dlv_1"]);
    },
  },
  {
    name: "a delivery moves only from the state and the lease owner it was read in",
    run: async (store) => {
      await add(store, "dlv_1");
      const advance = (
        status: DeliveryState["status"],
        leaseOwner: string | null,
        to: DeliveryState,
        next: string | null,
      ) =>
        write(store, ({ deliveries }) =>
          deliveries.advance("dlv_1", { status, leaseOwner }, { state: to, leaseOwner: next, run: null }),
        );
      equal(await advance("leased", null, ACKED, null), false);
      equal(await advance("pending", "own_a", LEASED, "own_a"), false);
      const race = await Promise.all([
        advance("pending", null, LEASED, "own_a"),
        advance("pending", null, LEASED, "own_b"),
      ]);
      deepEqual(race, [true, false]);
      equal(await advance("leased", "own_b", ACKED, null), false);
      equal(await advance("leased", null, ACKED, null), false);
      equal(await advance("leased", "own_a", ACKED, "own_a"), true);
      equal(await advance("leased", "own_a", DEAD, null), false);
      const [found] = await store.read((reads) => reads.deliveries.byIds(["dlv_1"]));
      partialDeepStrictEqual(found, { state: ACKED, leaseOwner: "own_a" });
      const unknown = await write(store, ({ deliveries }) =>
        deliveries.advance(
          "dlv_9",
          { status: "pending", leaseOwner: null },
          { state: LEASED, leaseOwner: null, run: null },
        ),
      );
      equal(unknown, false);
    },
  },
];

/** Advances the delivery from its current state. */
function move(
  store: Store,
  id: string,
  state: DeliveryState,
  leaseOwner: string | null = null,
  run: string | null = null,
): Promise<void> {
  return write(store, async ({ deliveries }) => {
    const [current] = await deliveries.byIds([id]);
    if (current === undefined) throw new Error(`no delivery ${id}`);
    const from = { status: current.state.status, leaseOwner: current.leaseOwner };
    equal(await deliveries.advance(id, from, { state, leaseOwner, run }), true);
  });
}
