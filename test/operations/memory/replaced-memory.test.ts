import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import type { Caller } from "../../../src/kernel/caller.ts";
import { archiveMemory } from "../../../src/operations/memory/archive-memory.ts";
import { listMemory } from "../../../src/operations/memory/list-memory.ts";
import { setMemory } from "../../../src/operations/memory/set-memory.ts";
import { callTeamTool } from "../../../src/operations/tools/team-tools.ts";
import { agentCaller } from "../../support/team/agent-caller.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";

const alice = agentCaller("alice");
const AGENT = "backend: mock\nprompt: { system: Hello. }\n";

function team(files: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  return openTestProject({ files: { ".agents/alice.yaml": AGENT, ...files } });
}

async function store(project: TestProject, caller: Caller, args: object): Promise<string> {
  return (await callTeamTool(project.system, caller, "memory_store", args)).content;
}

const OLD = "The weekly release of billing leaves on Friday";
const NEW = "The weekly release of billing leaves on Tuesday";

describe("a memory that another one contradicts", () => {
  it("[recall.similar] is named when the other one is stored, with how to replace it", async () => {
    await using project = await team();
    await store(project, alice, { content: OLD, key: "release" });
    const answer = await store(project, alice, { content: NEW, key: "new-release" });
    expect(answer).toMatch(
      /^Remembered as "new-release".* \[mem_\w+\] is about the same thing: .* with replaces: mem_/,
    );
    expect(await store(project, alice, { content: "Tea is served at four in the garden" })).not.toContain("same thing");
  });

  it("[recall.replaced] is replaced on request: it stays, and says until when it was true", async () => {
    await using project = await team();
    await store(project, alice, { content: OLD, key: "release" });
    expect(await store(project, alice, { content: NEW, key: "new-release", replaces: "release" })).toMatch(
      /^Remembered as "new-release" \(working, private\)\.$/,
    );
    const { entries } = await callOk(project, person, listMemory, { agent: "alice" });
    expect(entries).toMatchObject([
      { key: "release", value: OLD, validUntil: expect.any(String), replacedBy: "new-release" },
      { key: "new-release", value: NEW, validUntil: null, replaces: entries[0]?.id },
    ]);
  });

  it("[recall.replaced] is not replaced by an agent that may not change it", async () => {
    await using project = await team();
    await callOk(project, person, setMemory, { agent: "alice", key: "release", value: OLD, tier: "core" });
    expect(await store(project, alice, { content: NEW, key: "new-release", replaces: "release" })).toContain(
      "which only a person changes",
    );
    const data = { agent: "alice", key: "new-release", value: NEW, replaces: "nothing" };
    expect((await callRefused(project, person, setMemory, data)).code).toBe("not_found");
    expect((await callOk(project, person, listMemory, { agent: "alice" })).entries).toHaveLength(1);
  });
});

describe("archiving many memories", () => {
  it("[recall.archive-many] is done in parts, each file once, and tells how many are left", async () => {
    const record = (n: number): string =>
      `fact-${n}: { value: "${`word${n} `.repeat(30)}", tier: working, source: alice, created: "2020-01-01T00:00:00Z", updated: "2020-01-01T00:00:00Z", id: mem_${n} }\n`;
    const files = Object.fromEntries(
      Array.from({ length: 10 }, (_, file) => [
        `.agents/alice/memory/learned${file === 0 ? "" : `-${file + 1}`}.yaml`,
        `# file ${file}\n${Array.from({ length: 130 }, (_, n) => record(file * 130 + n)).join("")}`,
      ]),
    );
    await using project = await team(files);
    const first = await callOk(project, person, archiveMemory, { agent: "alice", limit: 200 });
    expect(first.entries).toHaveLength(200);
    expect(first.left).toBeGreaterThan(1000);
    const rest = await callOk(project, person, archiveMemory, { agent: "alice" });
    expect(rest).toMatchObject({ left: 0 });
    expect(rest.entries).toHaveLength(first.left);
    const { entries, problems } = await callOk(project, person, listMemory, { agent: "alice", tier: "archive" });
    expect(problems).toEqual([]);
    expect(entries).toHaveLength(200 + first.left);
  });
});
