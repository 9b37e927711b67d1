import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Caller } from "../src/kernel/caller.ts";
import { readInbox } from "../src/operations/inbox/read-inbox.ts";
import { format, median, type Bench } from "./bench.ts";
import { fillHistory } from "./support/fill-history.ts";
import { openLocalProject } from "./support/local-project.ts";
import { openReviewProject } from "./support/review-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const WAITING = 20;
const alice: Caller = { kind: "agent", name: "alice", space: "@review:main", run: null, cause: null };

/** The inbox is a query over what is open: it must not grow with what ever was. */
export const inboxFlat: Bench = {
  name: "inbox-flat",
  measures: "reading an inbox of 20 with a thousand and with a million messages behind it",
  async run({ quick, progress }) {
    const rounds = quick ? 3 : 9;
    const reads = quick ? 200 : 2_000;
    using folder = temporaryFolder();
    const few = await historyOf(join(folder.path, "few"), 1_000);
    progress("writing the long history");
    const many = await historyOf(join(folder.path, "many"), quick ? 20_000 : 1_000_000);

    await using small = await openLocalProject(few);
    await using large = await openLocalProject(many);
    const read = async ({ project }: typeof small): Promise<void> => {
      const inbox = await project.system.query(alice, readInbox, { limit: WAITING });
      if (!inbox.ok || inbox.value.deliveries.length !== WAITING) throw new Error("the inbox is not what was written");
    };
    using bare = bareInbox(join(many, ".workspace", "agent-worker.db"));

    const times = { small: [] as number[], large: [] as number[], bare: [] as number[] };
    for (let round = 0; round <= rounds; round += 1) {
      const small_ = await microseconds(reads, () => read(small));
      const large_ = await microseconds(reads, () => read(large));
      const bare_ = await microseconds(reads, async () => void bare.read());
      if (round === 0) continue;
      times.small.push(small_);
      times.large.push(large_);
      times.bare.push(bare_);
    }
    const ratios = (over: readonly number[]) => times.large.map((time, round) => time / (over[round] ?? Number.NaN));
    const large_ = format(median(times.large));
    return [
      {
        what: "a million messages to a thousand",
        ratios: ratios(times.small),
        goal: { atMost: 1.25 },
        detail: `${large_} µs against ${format(median(times.small))} µs`,
      },
      {
        what: "to the bare statement",
        ratios: ratios(times.bare),
        goal: { atMost: 1.5 },
        detail: `${large_} µs against ${format(median(times.bare))} µs`,
      },
    ];
  },
};

async function historyOf(folder: string, messages: number): Promise<string> {
  await (await openReviewProject(folder))[Symbol.asyncDispose]();
  fillHistory(join(folder, ".workspace", "agent-worker.db"), messages, WAITING);
  return folder;
}

/** The same rows by the statement alone. */
function bareInbox(file: string): Disposable & { read(): unknown[] } {
  const db = new DatabaseSync(file, { readOnly: true });
  const statement = db.prepare(
    `SELECT d.*, m.* FROM delivery d JOIN message m ON m.seq = d.message
     WHERE d.space = '@review:main' AND d.mailbox = 'alice' AND d.state < 2 ORDER BY d.seq LIMIT ${WAITING}`,
  );
  return { read: () => statement.all(), [Symbol.dispose]: () => db.close() };
}

async function microseconds(times: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < times; i += 1) await work();
  return ((performance.now() - started) * 1000) / times;
}
