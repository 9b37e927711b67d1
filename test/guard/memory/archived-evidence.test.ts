import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { HELD_OUT_TOPICS } from "../../../bench/support/held-out-topics.ts";
import { longConversation } from "../../../bench/support/long-conversations.ts";
import { createPersonalFiles } from "../../../src/files/personal/personal-files.ts";
import { assemblePrompt } from "../../../src/guard/context/assemble-prompt.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { asked, promptInput } from "../../support/engine/prompt-input.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const MEMORIES = 1300;
const QUESTIONS = 50;

it("[recall.nothing-fades] 1,300 archived memories: the evidence of fifty questions is in their prompts", async () => {
  using folder = temporaryFolder();
  const memory = join(folder.path, ".agents/alice/memory");
  mkdirSync(memory, { recursive: true });
  const sets = [201, 202, 203].map((seed) => longConversation(seed, HELD_OUT_TOPICS));
  const entries = sets.flatMap(({ sessions }, set) =>
    sessions.flatMap(({ day, turns }) =>
      turns.map(({ id, speaker, text }) => [`${set}-${id}`, `${speaker}: ${text}`, `${day}T10:00:00.000Z`] as const),
    ),
  );
  const stored = entries.slice(0, MEMORIES).map(([key, value, created]) => {
    const record = { value, tier: "archive", visibility: "private", source: "alice", created, updated: created };
    return [key, record] as const;
  });
  for (let file = 0; file < stored.length; file += 150)
    writeFileSync(
      join(memory, `learned-${file / 150 + 1}.yaml`),
      stringify(Object.fromEntries(stored.slice(file, file + 150))),
    );
  const personal = createPersonalFiles({
    root: folder.path,
    dir: ".agents/alice",
    clock: systemClock,
    newId: () => "mem_x",
  });
  if (!personal.ok) throw new Error(personal.error.message);
  const listing = await personal.value.memory.list();
  expect(listing.entries).toHaveLength(MEMORIES);

  const known = new Set(listing.entries.map(({ key }) => key));
  const questions = sets
    .flatMap(({ questions }, set) =>
      questions.map(({ question, evidence }) => ({ question, keys: evidence.map((id) => `${set}-${id}`) })),
    )
    .filter(({ keys }) => keys.every((key) => known.has(key)));
  const every = Math.floor(questions.length / QUESTIONS);
  const chosen = questions.filter((_, position) => position % every === 0).slice(0, QUESTIONS);
  let [all, found] = [0, 0];
  for (const { question, keys } of chosen) {
    const { prompt } = assemblePrompt(
      promptInput({ inbox: [asked(question)], personal: { memory: listing, todos: [] } }),
    );
    expect(prompt).toMatch(/\(1?,?\d+ more: memory_recall finds them\)/);
    all += keys.length;
    found += keys.filter((key) => prompt.includes(`- ${key} (`)).length;
  }
  expect(chosen).toHaveLength(QUESTIONS);
  expect(found / all).toBeGreaterThanOrEqual(0.65);
});
