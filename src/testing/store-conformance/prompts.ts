import { deepEqual, equal } from "node:assert/strict";
import { UNKNOWN_USAGE } from "../../domain/budget/usage.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { StoreWrites } from "../../ports/store/store.ts";
import { run, T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

const DAY = 86_400_000;
const block = { text: '<message>\nit\'s "said" – <b>\n</message>\n'.repeat(40), shared: true };
const asked = (text: string) => [{ text: "<channel>\n", shared: false }, block, { text, shared: false }];

/** A run with one step that was asked this, and has ended. */
async function give({ runs, history }: StoreWrites, id: string, text: string, at = T0): Promise<void> {
  await runs.open(run(id, { mailbox: id, space: "@review:main" }));
  const step = { run: id, number: 1, finishedAt: at, wallMs: 3, usage: UNKNOWN_USAGE };
  await runs.checkpoint({ ...step, transcript: '["said"]', continues: false });
  await history.storePrompt(id, { system: "You are alice.", tools: "[]", prompt: asked(text) }, at);
  await runs.end(id, { endedAt: at, outcome: "answered", detail: null, reason: null });
}

/** The cases of what runs were given. */
export const promptCases: readonly StoreCase[] = [
  {
    name: "a run has the last prompt that was stored for it, with the beginning of its transcript",
    run: async (store) => {
      await write(store, async (writes) => {
        for (const id of ["run_1", "run_2"]) {
          await give(writes, id, "earlier");
          const given = { system: "You are alice.", tools: "[]", prompt: null };
          await writes.history.storePrompt(id, given, T0);
        }
      });
      await store.read(async ({ history }) => {
        for (const id of ["run_1", "run_2"]) {
          const expected = { system: "You are alice.", tools: "[]", prompt: null, firstTranscript: '["said"]' };
          deepEqual(await history.prompt(id), expected);
        }
        equal(await history.prompt("run_3"), null);
      });
    },
  },
  {
    name: "a prompt is read as it was given, however many runs share its pieces, on any day",
    run: async (store) => {
      for (const [index, id] of ["run_1", "run_2", "run_3"].entries()) {
        await write(store, (writes) => give(writes, id, `asked ${id}`, T0 + Math.max(0, index - 1) * DAY));
      }
      await store.read(async ({ history }) => {
        for (const id of ["run_1", "run_2", "run_3"]) {
          equal((await history.prompt(id))?.prompt, `<channel>\n${block.text}asked ${id}`);
        }
      });
    },
  },
  {
    name: "a prompt whose pieces were first stored by what was undone is whole [store.rollback]",
    run: async (store) => {
      const undone = (id: string) =>
        store.transact(async (writes) => {
          await give(writes, id, "undone");
          return refuse("conflict", "no");
        });
      await undone("run_0");
      await write(store, (writes) => give(writes, "run_1", "alone"));
      // Together they share a commit, and the first one is undone alone.
      const later = (id: string) => write(store, (writes) => give(writes, id, "together", T0 + DAY));
      await Promise.all([undone("run_2"), later("run_3"), undone("run_4"), later("run_5")]);
      await write(store, async (writes) => {
        await writes.nested(async () => {
          await give(writes, "run_6", "nested", T0 + 2 * DAY);
          return refuse("conflict", "no");
        });
        await give(writes, "run_7", "after", T0 + 2 * DAY);
        return ok(undefined);
      });
      await store.read(async ({ history }) => {
        for (const id of ["run_1", "run_3", "run_5", "run_7"]) {
          equal((await history.prompt(id))?.prompt?.startsWith(`<channel>\n${block.text}`), true, id);
        }
        equal(await history.prompt("run_6"), null);
      });
    },
  },
];

/** What is in memory is not removed because it is old. */
export const promptRetentionCases: readonly StoreCase[] = [
  {
    name: "the pieces of a day are removed with the last run of that day, and are stored again when they are needed",
    run: async (store) => {
      await write(store, async (writes) => {
        for (const id of ["run_1", "run_2"]) await give(writes, id, id);
        await give(writes, "run_3", "later", T0 + DAY);
      });
      const remove = (id: string, at: number) => write(store, ({ retention }) => retention.finishDetails(id, at));
      const whole = async (id: string) =>
        store.read(async ({ history }) => (await history.prompt(id))?.prompt?.includes(block.text) ?? null);
      await remove("run_1", T0 + 9 * DAY);
      deepEqual([await whole("run_1"), await whole("run_2"), await whole("run_3")], [null, true, true]);
      await remove("run_2", T0 + 9 * DAY);
      deepEqual([await whole("run_2"), await whole("run_3")], [null, true]);
      // Removed on the day on which they were stored: what is stored next relies on them.
      await remove("run_3", T0 + DAY);
      await write(store, (writes) => give(writes, "run_4", "again", T0 + DAY));
      equal(await whole("run_4"), true);
    },
  },
];
