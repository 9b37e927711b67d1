import { join } from "node:path";
import { systemClock } from "../src/kernel/clock.ts";
import { openMemoryIndex } from "../src/storage/sqlite/memory-index/memory-index.ts";
import { format, median, type Bench } from "./bench.ts";
import { openNaiveSearch } from "./limits/naive-fts.ts";
import { personalText } from "./support/personal-text.ts";
import { plainText } from "./support/plain-text.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const AGENTS = 50;
const NOW = Date.UTC(2026, 5, 1);

/** Questions hold the words that are everywhere, as people's do: the trap is that those read everything. */
export const memorySearch: Bench = {
  name: "memory-search",
  measures: "recall over up to 100,000 entries of 50 agents, and how long it keeps others waiting",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 3;
    const questions = quick ? 20 : 200;
    const sizes = quick ? [1_000, 5_000] : [1_000, 10_000, 100_000];
    const medians: number[] = [];
    const longest: number[] = [];
    const reference: number[] = [];
    const naive: number[] = [];
    const bySize: string[] = [];
    for (const size of sizes) {
      using folder = temporaryFolder();
      using index = openMemoryIndex(join(folder.path, "memory.db"), systemClock);
      using plain = openNaiveSearch(join(folder.path, "naive.db"));
      progress(`writing ${format(size)} entries`);
      const text = plainText(size);
      for (let agent = 0; agent < AGENTS; agent += 1) {
        const texts = Array.from({ length: size / AGENTS }, (_, i) => personalText(`k${i}`, text(20)));
        await index.put(`a${agent}`, "memory/learned.yaml", "1", texts);
        plain.add(texts.map(({ key, text: words }) => ({ agent: `a${agent}`, id: key, text: words })));
      }
      const last = size === sizes.at(-1);
      for (let round = 0; round <= rounds; round += 1) {
        const times: number[] = [];
        const naiveTimes: number[] = [];
        const ticks = watchTurns();
        for (let i = 0; i < questions; i += 1) {
          const question = text(10);
          const started = performance.now();
          const found = await index.search(`a${i % AGENTS}`, question, { limit: 10, now: NOW });
          times.push(performance.now() - started);
          if (found === null) throw new Error("the index is damaged");
        }
        const blocked = await ticks.stop();
        const bare = await referenceTurns();
        for (let i = 0; i < Math.min(questions, 10); i += 1) {
          const started = performance.now();
          plain.find(`a${i % AGENTS}`, text(10), 10);
          naiveTimes.push(performance.now() - started);
        }
        if (round === 0) continue;
        if (last) {
          medians.push(median(times));
          longest.push(blocked);
          reference.push(bare);
          naive.push(median(naiveTimes));
        } else if (round === rounds) bySize.push(`${format(size)}: ${format(median(times))} ms`);
      }
    }
    const most = format(sizes.at(-1) ?? 0);
    return [
      {
        what: `median in ms over 5, at ${most} entries`,
        ratios: medians.map((ms) => ms / 5),
        goal: { atMost: 1 },
        detail: `${format(median(medians))} ms; ${bySize.join(", ")}`,
      },
      {
        what: "to every word of the question in one table",
        ratios: medians.map((ms, round) => ms / (naive[round] ?? Number.NaN)),
        goal: { atMost: 0.25 },
        detail: `${format(median(medians))} ms against ${format(median(naive))} ms`,
      },
      {
        what: "long turns of the event loop to those of a loop that works 1 ms at a time",
        ratios: longest.map((ms, round) => ms / (reference[round] ?? Number.NaN)),
        goal: { atMost: 2 },
        detail: `${format(median(longest))} ms against ${format(median(reference))} ms`,
      },
    ];
  },
};

const MOST_TURNS = 0.95;
const REFERENCE_TURNS = 300;

/** How long turns of the event loop take at most, but for the one in twenty that a busy machine spoils. */
function watchTurns(): { stop(): Promise<number> } {
  const turns: number[] = [];
  let running = true;
  let before = performance.now();
  const ended = Promise.withResolvers<number>();
  const tick = (): void => {
    const now = performance.now();
    turns.push(now - before);
    before = now;
    if (running) setImmediate(tick);
    else ended.resolve(longOf(turns));
  };
  setImmediate(tick);
  return {
    stop() {
      running = false;
      return ended.promise;
    },
  };
}

/** The same of a loop that works for exactly a millisecond each turn. */
async function referenceTurns(): Promise<number> {
  const turns: number[] = [];
  let before = performance.now();
  while (turns.length < REFERENCE_TURNS) {
    while (performance.now() - before < 1);
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    turns.push(now - before);
    before = now;
  }
  return longOf(turns);
}

function longOf(turns: readonly number[]): number {
  return turns.toSorted((a, b) => a - b)[Math.floor(turns.length * MOST_TURNS)] ?? Number.NaN;
}
