import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { assemblePrompt } from "../src/guard/context/assemble-prompt.ts";
import { readPromptInput, type PromptSources } from "../src/guard/context/read-prompt-input.ts";
import { createRecentMessages } from "../src/guard/context/recent-messages.ts";
import { createTeams } from "../src/guard/context/teams.ts";
import { memberRoles } from "../src/guard/identity/current-soul.ts";
import { person } from "../src/kernel/caller.ts";
import { ok } from "../src/kernel/result.ts";
import { sendMessage } from "../src/operations/messages/send-message.ts";
import { findRunAgent } from "../src/operations/runs/run-agent.ts";
import { openWorkspace } from "../src/operations/workspaces/open-workspace.ts";
import { format, median, type Bench } from "./bench.ts";
import { openLocalProject } from "./support/local-project.ts";
import { plainText } from "./support/plain-text.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const SPACE = "@review:main";
const MEMORIES = 1_000;
const MESSAGES = 200;

/** What happens before every run: everything is read, weighed and put into words. The floor reads the same and glues it. */
export const assemble: Bench = {
  name: "assemble",
  measures: "a prompt out of a soul, 1,000 memories, todos and 200 messages, against the same reads glued together",
  async run({ quick }) {
    const rounds = quick ? 3 : 9;
    const times = quick ? 20 : 100;
    using folder = temporaryFolder();
    const dir = join(folder.path, "project");
    writeProject(dir);
    await using opened = await openLocalProject(dir);
    const { project } = opened;
    const begun = await project.system.propose(person, openWorkspace, { workflow: "review" });
    if (!begun.ok) throw new Error(begun.error.message);
    const text = plainText(2);
    for (let i = 0; i < MESSAGES; i += 1) {
      const sent = await project.system.propose(person, sendMessage, { to: "@review", message: `@alice ${text(25)}` });
      if (!sent.ok) throw new Error(sent.error.message);
    }
    const read: PromptSources["read"] = (work) => project.store.read(work);
    const pending = await read((store) =>
      store.deliveries.pending({ mailbox: "alice", space: SPACE, now: Date.now(), limit: 1 }),
    );
    const sources: PromptSources = {
      read,
      recent: createRecentMessages(),
      teams: createTeams(memberRoles(project.services)),
      personal: (agent) => project.services.personal(agent),
      documents: (workspace) => project.services.documents(workspace),
      systemPrompt: (prompt) => ok("system" in prompt ? prompt.system : ""),
    };
    const systems = new Set<string>();
    const product = async (): Promise<void> => {
      const run = { agent: "alice", space: SPACE };
      const agent = await read((store) => findRunAgent(store, project.definitions, run));
      if (agent.kind !== "found") throw new Error("alice is missing");
      const request = {
        run,
        agent: agent.agent,
        deliveries: pending,
        skills: [],
        tools: ["channel_send"],
        now: Date.now(),
      };
      const input = await readPromptInput(sources, request);
      if (!input.ok) throw new Error(input.error.message);
      const { system, receipt } = assemblePrompt(input.value);
      systems.add(system);
      if (receipt.parts.every(({ part }) => part !== "working memory")) throw new Error("the memory is missing");
    };
    const files = [
      "memory/facts-1.yaml",
      "memory/facts-2.yaml",
      "memory/facts-3.yaml",
      "memory/facts-4.yaml",
      "todo/index.md",
    ];
    const glue = async (): Promise<void> => {
      const texts = await Promise.all(files.map((file) => readFile(join(dir, ".agents/alice", file), "utf8")));
      const said = await read(async (store) => {
        const workspace = await store.workspaces.byKey(SPACE);
        const asked = await Promise.all(pending.map(({ message }) => store.messages.byId(message)));
        const recent = await store.messages.page({ space: SPACE, limit: 50 });
        return [workspace?.key, ...[...asked, ...recent].map((message) => message?.body)];
      });
      const glued = [...texts, ...said].join("\n\n");
      if (glued.length < 1000) throw new Error("nothing was read");
    };
    const ratios: number[] = [];
    const perPrompt: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const made = await microseconds(times, product);
      const floor = await microseconds(times, glue);
      if (round === 0) continue;
      ratios.push(made / floor);
      perPrompt.push(made);
      floors.push(floor);
    }
    return [
      {
        what: "to the same reads, glued",
        ratios,
        goal: { atMost: 1.5 },
        detail: `${format(median(perPrompt))} µs against ${format(median(floors))} µs`,
      },
      {
        what: "different system texts in all prompts",
        ratios: [systems.size],
        goal: { atMost: 1 },
        detail: `${(rounds + 1) * times} prompts`,
      },
    ];
  },
};

function writeProject(dir: string): void {
  const write = (path: string, content: string): void => {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), content);
  };
  const text = plainText(1);
  const agent = { backend: "mock", prompt: { system: text(50) }, soul: { role: "reviewer", principles: [text(10)] } };
  write(".agents/alice.yaml", stringify({ name: "alice", ...agent }));
  write(".workflows/review.yaml", "name: review\nagents:\n  alice: { ref: alice }\n");
  write("moniro.yaml", "defaults:\n  budget: { hops: 1000000, turns: 1000000 }\n");
  for (let file = 1; file <= 4; file += 1) {
    const facts = Array.from({ length: MEMORIES / 4 }, (_, i) => [
      `fact-${file}-${i}`,
      { value: text(15), tier: "working", source: "user", updated: new Date(Date.UTC(2026, 0, 1, i)).toISOString() },
    ]);
    write(`.agents/alice/memory/facts-${file}.yaml`, stringify(Object.fromEntries(facts)));
  }
  write(".agents/alice/todo/index.md", Array.from({ length: 20 }, () => `- [ ] ${text(8)}\n`).join(""));
}

async function microseconds(times: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < times; i += 1) await work();
  return ((performance.now() - started) * 1000) / times;
}
