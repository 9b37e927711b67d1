import type { DaemonProject } from "../src/daemon/running-project.ts";
import type { RecordedEvent } from "../src/domain/event.ts";
import { createEventHub } from "../src/kernel/event-hub.ts";
import { ok } from "../src/kernel/result.ts";
import type { RunningProject } from "../src/runtime/running-project.ts";
import { startRequestServer } from "../test/support/daemon/request-server.ts";
import { format, median, perSecond, type Bench } from "./bench.ts";
import { startOneBufferStream } from "./limits/one-buffer-stream.ts";
import { instantEngine } from "./support/instant-engine.ts";
import { startReadingClients } from "./support/reading-clients.ts";
import { openTeamProject } from "./support/team-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const CLIENTS = 100;
const PER_TURN = 50;
const MARK = "msg_the_last_one";

/** Recorded events to a hundred clients of `GET /events`, which read in another process. */
export const stream: Bench = {
  name: "stream",
  measures: "recorded events to 100 clients, from the store to the last byte read",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 5;
    const count = quick ? 1_000 : 10_000;
    using folder = temporaryFolder();
    await using live = await openTeamProject(
      folder.path,
      2,
      instantEngine(() => ({ finished: true, text: "" })),
    );
    const ratios: number[] = [];
    const times = { product: [] as number[], limit: [] as number[] };
    for (let round = 0; round <= rounds; round += 1) {
      const product = await toldByProduct(live, count);
      const limit = await toldInOneBuffer(count);
      if (round === 0) continue;
      times.product.push(product);
      times.limit.push(limit);
      ratios.push(limit / product);
      progress(`round ${round} of ${rounds}: ${format(perSecond(count * CLIENTS, product))} a second`);
    }
    const rate = (ms: readonly number[]): string => format(perSecond(count * CLIENTS, median(ms)));
    return [
      {
        what: "to one buffer a turn, encoded before",
        ratios,
        goal: { atLeast: 0.7 },
        detail: `${rate(times.product)}/s against ${rate(times.limit)}/s`,
      },
    ];
  },
};

async function toldByProduct(live: DaemonProject, count: number): Promise<number> {
  const { durable: first } = await live.store.read((store) => store.events.last());
  const recorded = await record(live, count);
  let visible = first;
  // What is in the store is told turn by turn, as if it were being recorded: writing it is another bench.
  const events = createEventHub<RecordedEvent>((error) => {
    throw error;
  });
  const project: RunningProject = {
    ...live,
    events,
    store: {
      ...live.store,
      read: (work) =>
        live.store.read((store) =>
          work({
            ...store,
            events: {
              after: (cursor, limit) => store.events.after(cursor, limit, { durable: visible, ephemeral: 0 }),
              last: async () => ({ durable: visible, ephemeral: 0 }),
            },
          }),
        ),
    },
  };
  await using server = await startRequestServer(project);
  using clients = startReadingClients(`${server.url}/events`, CLIENTS, MARK);
  await clients.ready;
  await turn();
  const started = performance.now();
  for (let at = 0; at < count; at += PER_TURN) {
    visible += PER_TURN;
    events.publish(recorded.slice(at, at + PER_TURN));
    await turn();
  }
  await clients.done;
  return performance.now() - started;
}

async function record(live: DaemonProject, count: number): Promise<RecordedEvent[]> {
  const kept = await live.store.transact(async (store) => {
    const recorded: RecordedEvent[] = [];
    for (let i = 0; i < count; i += 1) recorded.push(await store.appendEvent(eventNumber(i, count), 0));
    return ok(recorded);
  });
  if (!kept.ok) throw new Error(kept.error.message);
  return kept.value;
}

async function toldInOneBuffer(count: number): Promise<number> {
  const buffers: Buffer[] = [];
  for (let at = 0; at < count; at += PER_TURN) {
    const frames = Array.from({ length: PER_TURN }, (_, i) => {
      const event = { ...eventNumber(at + i, count), seq: at + i, at: 0 };
      return `id: ${event.seq}\nevent: recorded\ndata: ${JSON.stringify(event)}\n\n`;
    });
    buffers.push(Buffer.from(frames.join("")));
  }
  await using limit = await startOneBufferStream();
  using clients = startReadingClients(limit.url, CLIENTS, MARK);
  await clients.ready;
  await turn();
  const started = performance.now();
  for (const bytes of buffers) {
    limit.tell(bytes);
    await turn();
  }
  await clients.done;
  return performance.now() - started;
}

function eventNumber(i: number, count: number) {
  const message = i === count - 1 ? MARK : `msg_${String(i).padStart(26, "0")}`;
  return { type: "message.posted", space: "@team:main", message } as const;
}

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
