import { join } from "node:path";
import { systemClock } from "../src/kernel/clock.ts";
import { openMemoryIndex } from "../src/storage/sqlite/memory-index/memory-index.ts";
import { format, median, type Bench } from "./bench.ts";
import { openNaiveSearch } from "./limits/naive-fts.ts";
import { conversationSet, type AskedLater } from "./support/conversation-set.ts";
import { personalText } from "./support/personal-text.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const FIRST = 10;
const NOW = Date.UTC(2026, 5, 1);

/** How much of what answers a question is among the first ten results. The set is made, and the same for a seed. */
export const memoryRecall: Bench = {
  name: "memory-recall",
  measures: "the share of evidence found in conversations for questions worded otherwise, without a model",
  async run({ quick, progress }) {
    const seeds = quick ? [1] : [1, 2, 3, 4, 5];
    const found: number[] = [];
    const naive: number[] = [];
    for (const seed of seeds) {
      using folder = temporaryFolder();
      using index = openMemoryIndex(join(folder.path, "memory.db"), systemClock);
      using plain = openNaiveSearch(join(folder.path, "naive.db"));
      const set = conversationSet(seed, quick ? 15 : 60);
      for (const [day, turns] of set.days.entries()) {
        const at = NOW - (set.days.length - day) * 86_400_000;
        const said = turns.map(({ id, sender, text }) =>
          personalText(id, text, { kind: "conversation", tier: "archive", source: sender, id: null, at }),
        );
        await index.put("alice", `conversations/${day}.md`, "1", said);
        plain.add(turns.map(({ id, text }) => ({ agent: "alice", id, text })));
      }
      const share = async (search: (question: string) => Promise<readonly string[]>): Promise<number> => {
        const shares: number[] = [];
        for (const asked of set.questions) shares.push(evidenceIn(asked, await search(asked.question)));
        return shares.reduce((sum, each) => sum + each, 0) / shares.length;
      };
      found.push(
        await share(async (question) => {
          const texts = await index.search("alice", question, { limit: FIRST, now: NOW });
          return (texts ?? []).map(({ key }) => key);
        }),
      );
      naive.push(await share(async (question) => plain.find("alice", question, FIRST)));
      progress(`seed ${seed}: ${set.questions.length} questions about ${set.days.flat().length} turns`);
    }
    return [
      {
        what: `share of evidence in the first ${FIRST}`,
        ratios: found,
        goal: { atLeast: 0.75 },
        detail: `${format(median(found))}; plain BM25 on the same: ${format(median(naive))}`,
      },
      {
        what: "to plain BM25",
        ratios: found.map((share, round) => share / (naive[round] ?? Number.NaN)),
        goal: { atLeast: 1.1 },
        detail: `${format(median(found))} against ${format(median(naive))}`,
      },
    ];
  },
};

function evidenceIn({ evidence }: AskedLater, found: readonly string[]): number {
  return evidence.filter((id) => found.includes(id)).length / evidence.length;
}
