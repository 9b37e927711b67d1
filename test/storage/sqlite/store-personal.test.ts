import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../../src/kernel/caller.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { refuse } from "../../../src/kernel/refusal.ts";
import { repeatableCall, type RepeatableCall } from "../../../src/kernel/repeated-call.ts";
import { createCallMemory } from "../../../src/operations/core/call-memory.ts";
import type { ProductTypes } from "../../../src/operations/core/define.ts";
import type { MemoryEntry, PersonalContext } from "../../../src/ports/personal-context.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import { createStorePersonal } from "../../../src/storage/personal/store-personal.ts";
import { run, write } from "../../../src/testing/store-conformance/records.ts";
import { openMemoryStore } from "../../support/store/sqlite-store.ts";
import { refused, value } from "../../support/result.ts";

let store: Store;
let alice: PersonalContext;
beforeEach(async () => {
  store = openMemoryStore();
  let ids = 0;
  alice = createStorePersonal({ store, agent: "alice", clock: systemClock, newId: (kind) => `${kind}_${(ids += 1)}` });
  await write(store, ({ runs }) => runs.open(run("run_1")));
});
afterEach(() => store[Symbol.asyncDispose]());

const caller: Caller = { kind: "agent", name: "alice", space: "alice", run: "run_1", cause: null, call: "call_1" };
const UNUSED = () => {
  throw new Error("nothing is staged as a file");
};

function call(lost?: ReturnType<typeof refuse>): RepeatableCall<ProductTypes> {
  const callMemory = createCallMemory({ isDone: UNUSED, discard: UNUSED });
  const made = repeatableCall<ProductTypes>({ store, callMemory, lost: async () => lost?.error }, caller, "set-memory");
  if (made === undefined) throw new Error("this caller repeats its calls");
  return made;
}

const remember = (made: RepeatableCall<ProductTypes>) =>
  alice.memory.set("deploy day", "Thursday", {
    source: "alice",
    effect: made.fileEffect((entry: MemoryEntry) => ({ key: entry.key })),
  });

describe("a tool call that changes a personal context in the store", () => {
  it("[context.store] [once.effects] is known to have happened when it is repeated after a crash", async () => {
    const first = call();
    await first.find();
    value(await remember(first));
    // The process ends here. The step is made again.
    const again = call();
    expect((await again.find())?.answer).toBeUndefined();
    expect(again.takeResumed()).toEqual({ prepared: { key: "deploy day" } });
    await again.end(true);
    expect((await alice.memory.list()).entries).toHaveLength(1);
  });

  it("[context.store] [run.fence] changes nothing for a run that another node has taken over", async () => {
    const late = call(refuse("lease_lost", "The run was taken over."));
    expect(refused(await remember(late)).code).toBe("lease_lost");
    await late.end(false);
    expect((await alice.memory.list()).entries).toEqual([]);
    const again = call();
    await again.find();
    expect(again.takeResumed()).toBeUndefined();
  });
});
