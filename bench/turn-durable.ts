import { join } from "node:path";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/send-message.ts";
import { format, median, perSecond, type Bench } from "./bench.ts";
import { durableInserts } from "./limits/durable-insert.ts";
import { openReviewProject } from "./support/review-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const IN_FLIGHT = 64;

/** The store part of a turn: a message and its two deliveries, accepted through the operation, durable before the receipt. */
export const turnDurable: Bench = {
  name: "turn-durable",
  measures: "messages with two deliveries accepted per second, 64 in flight, every receipt after the flush to disk",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 7;
    const count = quick ? 2_000 : 20_000;
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
      progress(`round ${round} of ${rounds}: ${format(product)}/s`);
    }
    const against = (limit: readonly number[]) =>
      rates.product.map((rate, round) => rate / (limit[round] ?? Number.NaN));
    return [
      {
        what: "to the bare grouped loop",
        ratios: against(rates.grouped),
        goal: { atLeast: 0.5 },
        detail: `${format(median(rates.product))}/s against ${format(median(rates.grouped))}/s`,
      },
      {
        what: "to the bare loop with a flush for each message",
        ratios: against(rates.ungrouped),
        goal: { atLeast: 5 },
        detail: `${format(median(rates.product))}/s against ${format(median(rates.ungrouped))}/s`,
      },
    ];
  },
};

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
