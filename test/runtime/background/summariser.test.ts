import { expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import { person } from "../../../src/kernel/caller.ts";
import { clearConversation } from "../../../src/operations/conversations/clear-conversation.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { callOk, type TestProject } from "../../support/team/project.ts";
import { openTeam, REVIEW } from "../../support/team/team.ts";

const NOW = Number.MAX_SAFE_INTEGER;

function definitionOf(project: TestProject): AgentDefinition {
  const definition = project.definitions.agent("alice");
  if (definition === undefined) throw new Error("alice is missing");
  return definition;
}

function publish(project: TestProject, space: string, filesOf: string | null, before = NOW): void {
  project.omitted.publish([{ space, mailbox: "alice", definition: definitionOf(project), filesOf, before }]);
}

const cover = (project: TestProject, space: string) => project.store.read(({ summaries }) => summaries.cover(space));

it("summarises full parts before what a prompt shows, and those in their turn [compress.levels]", async () => {
  await using project = await openTeam();
  const say = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      await callOk(project, person, sendMessage, { to: "@review", message: `We decided number ${n} of the list.` });
    }
  };
  await say(120);
  const all = await project.store.read(({ messages }) => messages.page({ space: REVIEW, limit: 200 }));
  publish(project, REVIEW, null, all[60]?.seq);
  await expect.poll(async () => (await cover(project, REVIEW)).map(({ messages }) => messages)).toEqual([50, 50]);
  const [first] = await cover(project, REVIEW);
  expect(first).toMatchObject({ level: 0, from: all[0]?.seq, to: all[49]?.seq, model: null, senders: ["user"] });
  expect(first?.text).toContain(`${all[0]?.seq} user: We decided number 0 of the list.`);

  await say(700);
  publish(project, REVIEW, null);
  await expect
    .poll(async () => (await cover(project, REVIEW)).map(({ level }) => level))
    .toEqual([1, 0, 0, 0, 0, 0, 0]);
  const covered = await cover(project, REVIEW);
  expect(covered.reduce((sum, { messages }) => sum + messages, 0)).toBe(800);
  expect(covered[0]?.text.length).toBeLessThanOrEqual(1200);
});

const DAY = (day: string, count: number, text: string): string =>
  Array.from(
    { length: count },
    (_, n) => `### 10:${String(n).padStart(2, "0")}:00 [user]\n${text} ${n} was decided.\n`,
  ).join("\n");

it("summarises days of conversation and archived ones, follows edits, and forgets what a person cleared [compress.files]", async () => {
  await using project = await openTeam({
    files: {
      ".agents/alice/conversations/2026-01-02.md": DAY("2026-01-02", 55, "Release"),
      ".agents/alice/conversations/2026-01-03.md": DAY("2026-01-03", 3, "Budget"),
      ".agents/alice/conversations/archive/2025-11-01.md": DAY("2025-11-01", 4, "Old plan"),
    },
  });
  const texts = async (): Promise<string[]> =>
    (await cover(project, "alice")).map(({ messages, text }) => `${messages} ${/: (\w+( plan)?)/.exec(text)?.[1]}`);
  publish(project, "alice", "alice");
  await expect.poll(texts).toEqual(["4 Old plan", "50 Release", "5 Release", "3 Budget"]);

  project.write(".agents/alice/conversations/2026-01-02.md", DAY("2026-01-02", 10, "Edited"));
  publish(project, "alice", "alice");
  await expect.poll(texts).toEqual(["4 Old plan", "10 Edited", "3 Budget"]);

  await callOk(project, person, clearConversation, { agent: "alice" });
  expect(await texts()).toEqual([]);
  project.clock.advance(86_400_000);
  project.write(".agents/alice/conversations/2026-01-06.md", DAY("2026-01-06", 2, "Fresh"));
  project.clock.advance(86_400_000);
  publish(project, "alice", "alice");
  await expect.poll(texts).toEqual(["2 Fresh"]);
});
