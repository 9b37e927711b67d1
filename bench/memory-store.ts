import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { person } from "../src/kernel/caller.ts";
import { setMemory } from "../src/operations/memory/set-memory.ts";
import { format, median, type Bench } from "./bench.ts";
import { openLocalProject } from "./support/local-project.ts";
import { plainText } from "./support/plain-text.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const FEW = 10;
const PER_FILE = 120;

/** Storing compares a memory with all others, and must not take longer for it. */
export const memoryStore: Bench = {
  name: "memory-store",
  measures: "storing a memory among ten thousand others, against storing it among ten",
  async run({ quick, progress }) {
    const many = quick ? 2_000 : 10_000;
    const rounds = quick ? 3 : 5;
    const times = quick ? 10 : 30;
    using folder = temporaryFolder();
    const dir = join(folder.path, "project");
    const text = plainText(7);
    progress(`writing ${format(many)} memories`);
    writeAgent(dir, "few", FEW, text);
    writeAgent(dir, "many", many, text);
    await using opened = await openLocalProject(dir);
    const store = async (agent: string, key: string): Promise<number> => {
      const value = text(15);
      const started = performance.now();
      const stored = await opened.project.system.propose(person, setMemory, { agent, key, value });
      if (!stored.ok) throw new Error(stored.error.message);
      return performance.now() - started;
    };
    const ratios: number[] = [];
    const [few, among]: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round += 1) {
      const [small, large]: [number[], number[]] = [[], []];
      for (let i = 0; i < times; i += 1) {
        small.push(await store("few", `new-${round}-${i}`));
        large.push(await store("many", `new-${round}-${i}`));
      }
      if (round === 0) continue;
      ratios.push(median(large) / median(small));
      few.push(median(small));
      among.push(median(large));
    }
    return [
      {
        what: `among ${format(many)} to among ${FEW}`,
        ratios,
        goal: { atMost: 2 },
        detail: `${format(median(among))} ms against ${format(median(few))} ms`,
      },
    ];
  },
};

function writeAgent(dir: string, name: string, memories: number, text: (words: number) => string): void {
  const folder = join(dir, ".agents", name, "memory");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(dir, ".agents", `${name}.yaml`), `name: ${name}\nbackend: mock\nprompt: { system: Hi }\n`);
  for (let file = 0; file * PER_FILE < memories; file += 1) {
    const facts = Array.from({ length: Math.min(PER_FILE, memories - file * PER_FILE) }, (_, i) => {
      const at = new Date(Date.UTC(2026, 0, 1 + file, 0, i)).toISOString();
      const record = {
        value: text(15),
        tier: "working",
        visibility: "private",
        source: name,
        created: at,
        updated: at,
      };
      return [`fact-${file}-${i}`, { ...record, id: `mem_${file}_${i}` }] as const;
    });
    writeFileSync(
      join(folder, file === 0 ? "learned.yaml" : `learned-${file + 1}.yaml`),
      stringify(Object.fromEntries(facts)),
    );
  }
}
