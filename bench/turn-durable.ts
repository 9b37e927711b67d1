import { join } from "node:path";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/messages/send-message.ts";
import { format, median, perSecond, type Bench, type BenchOptions, type Figure } from "./bench.ts";
import { durableInserts } from "./limits/durable-insert.ts";
import { kernelLoop } from "./limits/kernel-loop.ts";
import { instantEngine } from "./support/instant-engine.ts";
import { openReviewProject } from "./support/review-project.ts";
import { openTeamProject } from "./support/team-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const IN_FLIGHT = 64;

/**
 * Whole turns of fifty agents, and the store's part of them alone: a message with two deliveries accepted through the
 * operation. Everything is durable before it counts.
 *
 * The minimal loop is no design that could replace the product: seven row writes and nothing else. A turn of the product
 * also reads the files of the agent, makes a prompt, charges budgets, records events and a receipt, and can be resumed.
 * Its 51 statements and their part of the commits take as long as eleven turns of the loop, so nothing that writes these
 * rows can be faster than 0.09 of it. The goals are 0.06, and as fast as the loop that flushes each commit: see decision 107.
 * The channel grows to five thousand messages, so nearly every prompt has its full 32,000 tokens.
 */
export const turnDurable: Bench = {
  name: "turn-durable",
  measures: "turns of 50 agents on an engine that takes no time, and messages accepted, each after its flush to disk",
  async run(options) {
    return [...(await wholeTurns(options)), ...(await acceptance(options))];
  },
};

const AGENTS = 50;

async function wholeTurns({ quick, progress }: BenchOptions): Promise<Figure[]> {
  const rounds = quick ? 1 : 5;
  const count = quick ? 300 : 2_500;
  const single = quick ? 100 : 500;
  const rates = { product: [] as number[], grouped: [] as number[], ungrouped: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    using folder = temporaryFolder();
    const grouped = perSecond(count, await kernelLoop(join(folder.path, "grouped.db"), AGENTS, count, true));
    const product = perSecond(count, await takeTurns(join(folder.path, "project"), count));
    const ungrouped = perSecond(single, await kernelLoop(join(folder.path, "ungrouped.db"), 1, single, false));
    if (round === 0) continue; // warms up the compiler on both sides
    rates.product.push(product);
    rates.grouped.push(grouped);
    rates.ungrouped.push(ungrouped);
    progress(`round ${round} of ${rounds}: ${format(product)} turns/s`);
  }
  return [
    {
      what: "turns to the minimal loop with group commit",
      ratios: rates.product.map((rate, round) => rate / (rates.grouped[round] ?? Number.NaN)),
      goal: { atLeast: 0.06 },
      detail: `${format(median(rates.product))}/s against ${format(median(rates.grouped))}/s`,
    },
    {
      what: "turns to the minimal loop with a flush for each commit",
      ratios: rates.product.map((rate, round) => rate / (rates.ungrouped[round] ?? Number.NaN)),
      goal: { atLeast: 1 },
      detail: `${format(median(rates.product))}/s against ${format(median(rates.ungrouped))}/s`,
    },
  ];
}

/** Every agent is asked again as soon as it has answered: fifty turns are under way at any time. */
async function takeTurns(folder: string, count: number): Promise<number> {
  const waiting = new Map<string, () => void>();
  const engine = instantEngine(({ agent }) => ({ finished: true, text: `Done, says ${agent.name}.` }));
  await using project = await openTeamProject(folder, AGENTS, engine);
  using _watching = project.events.observe((events) => {
    for (const event of events) if (event.type === "run.ended") waiting.get(event.agent)?.();
  });
  let next = 0;
  const asking = async (name: string): Promise<void> => {
    for (let i = next++; i < count; i = next++) {
      const answered = new Promise<void>((resolve) => waiting.set(name, resolve));
      const sent = await project.system.propose(person, sendMessage, { to: "@team", message: `@${name} number ${i}` });
      if (!sent.ok) throw new Error(sent.error.message);
      await answered;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: AGENTS }, (_, i) => asking(`a${i + 1}`)));
  return performance.now() - started;
}

async function acceptance({ quick, progress }: BenchOptions): Promise<Figure[]> {
  const rounds = quick ? 2 : 5;
  const count = quick ? 2_000 : 15_000;
  const single = quick ? 200 : 2_000;
  const rates = { product: [] as number[], grouped: [] as number[], ungrouped: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    using folder = temporaryFolder();
    const grouped = perSecond(count, durableInserts(join(folder.path, "grouped.db"), count, IN_FLIGHT));
    const product = perSecond(count, await sendMany(join(folder.path, "project"), count));
    const ungrouped = perSecond(single, durableInserts(join(folder.path, "ungrouped.db"), single, 1));
    if (round === 0) continue; // warms up the compiler on both sides
    rates.product.push(product);
    rates.grouped.push(grouped);
    rates.ungrouped.push(ungrouped);
    progress(`round ${round} of ${rounds}: ${format(product)} messages/s`);
  }
  const against = (limit: readonly number[]) => rates.product.map((rate, round) => rate / (limit[round] ?? Number.NaN));
  return [
    {
      what: "messages accepted, to the bare grouped loop",
      ratios: against(rates.grouped),
      goal: { atLeast: 0.5 },
      detail: `${format(median(rates.product))}/s against ${format(median(rates.grouped))}/s`,
    },
    {
      what: "messages accepted, to the bare loop with a flush for each",
      ratios: against(rates.ungrouped),
      goal: { atLeast: 5 },
      detail: `${format(median(rates.product))}/s against ${format(median(rates.ungrouped))}/s`,
    },
  ];
}

async function sendMany(folder: string, count: number): Promise<number> {
  await using local = await openReviewProject(folder);
  const { system } = local.project;
  let next = 0;
  const sender = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) {
      const receipt = await system.propose(person, sendMessage, {
        to: "@review",
        message: `@alice and @bob please look at item ${i}`,
      });
      if (!receipt.ok || receipt.value.recipients.length !== 2) throw new Error(`message ${i} was not accepted`);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, sender));
  return performance.now() - started;
}
