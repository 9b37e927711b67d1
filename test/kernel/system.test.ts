import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { DomainEvent, RecordedEvent } from "../../src/domain/event.ts";
import { person, systemCaller, type Caller } from "../../src/kernel/caller.ts";
import { createIds } from "../../src/kernel/ids.ts";
import { defineProposal, defineQuery, type ExecuteContext } from "../../src/kernel/proposal.ts";
import { seededRandom } from "../../src/kernel/random.ts";
import { refuse } from "../../src/kernel/refusal.ts";
import { ok } from "../../src/kernel/result.ts";
import { createSystem, type System } from "../../src/kernel/system.ts";
import type { Store, StoreReads, StoreWrites } from "../../src/ports/store/store.ts";
import { message } from "../../src/testing/store-conformance/records.ts";
import { manualClock } from "../support/manual-clock.ts";
import { refused } from "../support/result.ts";
import { openMemoryStore } from "../support/store/sqlite-store.ts";

interface Testing {
  readonly reads: StoreReads;
  readonly writes: StoreWrites;
  readonly event: DomainEvent;
  readonly services: { readonly log: string[] };
}
type Context = ExecuteContext<Testing>;

const proposal = defineProposal<Testing>();
const query = defineQuery<Testing>();
const note = z.object({ text: z.string().min(1) });

async function add(ctx: Context, id: string): Promise<void> {
  await ctx.store.messages.append(message(id), null);
  await ctx.emit({ type: "message.posted", space: "@review:main", message: id });
  ctx.wake(`reader of ${id}`);
}

/** A proposal that writes, announces and wakes, and then ends as told. */
function adding(id: string, end: "accepted" | "refused" | "thrown", more?: (ctx: Context) => Promise<void>) {
  return proposal(
    { name: `add-${id}`, summary: "Adds a message.", input: z.object({}), output: z.string() },
    {
      access: () => undefined,
      async execute(_data, ctx) {
        await add(ctx, id);
        await more?.(ctx);
        if (end === "thrown") throw new Error(`bug in ${id}`);
        return end === "refused" ? refuse("conflict", `${id} is refused`) : ok(id);
      },
    },
  );
}

interface Bench extends AsyncDisposable {
  readonly system: System<Testing>;
  readonly store: Store;
  readonly published: RecordedEvent[];
  readonly woken: string[];
  readonly log: string[];
  messages(): Promise<string[]>;
}

function openBench(): Bench {
  const store = openMemoryStore();
  const clock = manualClock();
  const random = seededRandom(1);
  const published: RecordedEvent[] = [];
  const woken: string[] = [];
  const log: string[] = [];
  const messages = () =>
    store.read(async (reads) => (await reads.messages.page({ space: "@review:main", limit: 99 })).map(({ id }) => id));
  const system = createSystem<Testing>({
    store,
    services: { log },
    clock,
    random,
    newId: createIds(clock, random),
    publish: (events) => void published.push(...events),
    wake: (agents) => void woken.push(...agents),
  });
  return { system, store, published, woken, log, messages, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

const postedBy = (events: readonly RecordedEvent[]): string[] =>
  events.flatMap((event) => (event.type === "message.posted" ? [event.message] : []));

describe("a proposal", () => {
  it("leaves its change, its event and its wake when it is accepted", async () => {
    await using bench = openBench();
    expect(await bench.system.propose(person, adding("msg_1", "accepted"), {})).toEqual(ok("msg_1"));
    expect(await bench.messages()).toEqual(["msg_1"]);
    expect(postedBy(bench.published)).toEqual(["msg_1"]);
    expect(bench.published[0]).toMatchObject({ seq: 1, at: manualClock().now() });
    expect(bench.woken).toEqual(["reader of msg_1"]);
  });

  it("announces nothing before the commit, and nothing at all when it is refused or throws", async () => {
    await using bench = openBench();
    const seen: number[] = [];
    const watching = adding("msg_1", "accepted", async () => {
      seen.push(bench.published.length, bench.woken.length);
    });
    await bench.system.propose(person, watching, {});
    expect(seen).toEqual([0, 0]);
    const results = await Promise.allSettled([
      bench.system.propose(person, adding("msg_2", "refused"), {}),
      bench.system.propose(person, adding("msg_3", "thrown"), {}),
    ]);
    expect(results).toMatchObject([
      { value: { error: { code: "conflict" } } },
      { reason: { message: "bug in msg_3" } },
    ]);
    expect(postedBy(bench.published)).toEqual(["msg_1"]);
    expect(bench.woken).toEqual(["reader of msg_1"]);
    expect(await bench.messages()).toEqual(["msg_1"]);
  });

  it("is refused to a caller who may not make it, before its data is looked at [proposal.access]", async () => {
    await using bench = openBench();
    const ran: string[] = [];
    const forSystem = proposal(
      { name: "secret", summary: "Only for the system.", input: note, output: z.string() },
      {
        access: (caller: Caller) => (caller.kind === "system" ? undefined : { code: "forbidden", message: "no" }),
        prepare: async () => ok(void ran.push("prepare")),
        execute: async (_data, ctx) => {
          ran.push("execute");
          await add(ctx, "msg_1");
          return ok("done");
        },
      },
    );
    expect(refused(await bench.system.call(person, forSystem, { nonsense: true }))).toEqual({
      code: "forbidden",
      message: "no",
    });
    expect(ran).toEqual([]);
    expect(await bench.messages()).toEqual([]);
    expect(await bench.system.propose(systemCaller, forSystem, { text: "x" })).toEqual(ok("done"));
    expect(ran).toEqual(["prepare", "execute"]);
  });

  it("is refused with the field that is wrong, and does not execute [proposal.schema]", async () => {
    await using bench = openBench();
    const nested = proposal(
      { name: "take-note", summary: "Takes a note.", input: z.object({ notes: z.array(note) }), output: z.string() },
      {
        access: () => undefined,
        execute: async (_data, ctx) => {
          await add(ctx, "msg_1");
          return ok("done");
        },
      },
    );
    const refusal = refused(await bench.system.call(person, nested, { notes: [{ text: "fine" }, { text: 7 }] }));
    expect(refusal).toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^take-note: .* in "notes\.1\.text"\.$/),
    });
    expect(refusal.details).toMatchObject({ issues: [{ path: "notes.1.text" }] });
    expect(refused(await bench.system.call(person, nested, "text")).message).toMatch(/^take-note: [^"]*\.$/);
    expect(await bench.messages()).toEqual([]);
  });
});

describe("composition [proposal.compose]", () => {
  it("is one transaction: accepted parts are announced with the whole, in order", async () => {
    await using bench = openBench();
    const outer = adding("msg_1", "accepted", async (ctx) => {
      expect(await ctx.propose(adding("msg_2", "accepted"), {})).toEqual(ok("msg_2"));
      expect(bench.published).toEqual([]);
      await add(ctx, "msg_3");
    });
    await bench.system.propose(person, outer, {});
    expect(postedBy(bench.published)).toEqual(["msg_1", "msg_2", "msg_3"]);
    expect(bench.published.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(bench.woken).toEqual(["reader of msg_1", "reader of msg_2", "reader of msg_3"]);
  });

  it("a refused part takes back its changes, its events and its wakes, and those of its own parts", async () => {
    await using bench = openBench();
    const outer = adding("msg_1", "accepted", async (ctx) => {
      const inner = adding("msg_2", "refused", async (deeper) => {
        await deeper.propose(adding("msg_3", "accepted"), {});
      });
      expect(refused(await ctx.propose(inner, {})).message).toBe("msg_2 is refused");
      await add(ctx, "msg_4");
    });
    await bench.system.propose(person, outer, {});
    expect(await bench.messages()).toEqual(["msg_1", "msg_4"]);
    expect(postedBy(bench.published)).toEqual(["msg_1", "msg_4"]);
    expect(bench.published.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(bench.woken).toEqual(["reader of msg_1", "reader of msg_4"]);
  });

  it("a part that throws takes back its own, if the whole goes on", async () => {
    await using bench = openBench();
    const outer = adding("msg_1", "accepted", async (ctx) => {
      await expect(ctx.propose(adding("msg_2", "thrown"), {})).rejects.toThrow("bug in msg_2");
    });
    await bench.system.propose(person, outer, {});
    expect(await bench.messages()).toEqual(["msg_1"]);
    expect(postedBy(bench.published)).toEqual(["msg_1"]);
    expect(bench.woken).toEqual(["reader of msg_1"]);
  });

  it("a refused whole takes back the parts it had accepted", async () => {
    await using bench = openBench();
    const outer = adding("msg_1", "refused", async (ctx) => {
      await ctx.propose(adding("msg_2", "accepted"), {});
    });
    refused(await bench.system.propose(person, outer, {}));
    expect([await bench.messages(), bench.published, bench.woken]).toEqual([[], [], []]);
  });

  it("a part acts as the caller it is given, at the time of the whole, its data checked, its access not asked again", async () => {
    await using bench = openBench();
    const seen: unknown[] = [];
    const part = proposal(
      { name: "part", summary: "A part.", input: note, output: z.string() },
      {
        access: () => ({ code: "forbidden", message: "not from outside" }),
        execute: async ({ text }, ctx) => {
          seen.push([text, ctx.caller, ctx.now]);
          return ok(text);
        },
      },
    );
    const outer = adding("msg_1", "accepted", async (ctx) => {
      expect(await ctx.propose(part, { text: "a" })).toEqual(ok("a"));
      expect(await ctx.propose(part, { text: "b" }, systemCaller)).toEqual(ok("b"));
      expect(refused(await ctx.propose(part, { text: "" })).code).toBe("invalid");
    });
    await bench.system.propose(person, outer, {});
    const now = manualClock().now();
    expect(seen).toEqual([
      ["a", person, now],
      ["b", systemCaller, now],
    ]);
  });
});

describe("preparing", () => {
  const preparing = (prepared: "ready" | "refused" | "thrown", end: "accepted" | "refused" | "thrown") =>
    proposal(
      { name: "write-file", summary: "Writes a file.", input: z.object({}), output: z.string() },
      {
        access: () => undefined,
        async prepare(_data, ctx) {
          ctx.services.log.push(`prepare with ${(await ctx.read((reads) => reads.events.last())).durable} events`);
          if (prepared === "thrown") throw new Error("disk");
          return prepared === "refused" ? refuse("too_large", "too large") : ok("staged");
        },
        abandon: (staged) => void bench?.log.push(`abandon ${staged}`),
        async execute(_data, ctx, staged) {
          ctx.services.log.push(`execute ${staged}`);
          if (end === "thrown") throw new Error("bug");
          return end === "refused" ? refuse("conflict", "no") : ok(staged);
        },
      },
    );
  let bench: Bench | undefined;

  it.each([
    ["ready", "accepted", ["prepare with 0 events", "execute staged"]],
    ["ready", "refused", ["prepare with 0 events", "execute staged", "abandon staged"]],
    ["ready", "thrown", ["prepare with 0 events", "execute staged", "abandon staged"]],
    ["refused", "accepted", ["prepare with 0 events"]],
    ["thrown", "accepted", ["prepare with 0 events"]],
  ] as const)(
    "%s, then %s: what was staged is abandoned exactly when it did not commit",
    async (prepared, end, log) => {
      await using opened = openBench();
      bench = opened;
      const [result] = await Promise.allSettled([opened.system.propose(person, preparing(prepared, end), {})]);
      expect(result.status).toBe(prepared === "thrown" || end === "thrown" ? "rejected" : "fulfilled");
      expect(opened.log).toEqual(log);
    },
  );

  it("is abandoned when the store does not take the transaction", async () => {
    await using opened = openBench();
    bench = opened;
    const closing = opened.system.propose(person, preparing("ready", "accepted"), {});
    await Promise.resolve();
    await opened.store[Symbol.asyncDispose]();
    await expect(closing).rejects.toMatchObject({ code: "store_closed" });
    expect(opened.log.at(-1)).toBe("abandon staged");
  });
});

describe("a query", () => {
  const count = query(
    { name: "count", summary: "Counts events.", input: z.object({ add: z.number() }), output: z.number() },
    {
      access: (caller) => (caller.kind === "agent" ? { code: "forbidden", message: "no" } : undefined),
      execute: async (data, ctx) => ok(data.add + (await ctx.read((reads) => reads.events.last())).durable),
    },
  );

  it("reads what is committed, under the same access and schema rules", async () => {
    await using bench = openBench();
    await bench.system.propose(person, adding("msg_1", "accepted"), {});
    expect(await bench.system.query(person, count, { add: 10 })).toEqual(ok(11));
    const agent: Caller = { kind: "agent", name: "alice", space: "alice", run: null, cause: null };
    expect(refused(await bench.system.call(agent, count, {})).code).toBe("forbidden");
    expect(refused(await bench.system.call(person, count, {})).message).toContain('"add"');
  });
});
