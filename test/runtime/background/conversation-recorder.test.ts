import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { receiptView } from "../../../src/contract/messages.ts";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { createLog } from "../../../src/kernel/log.ts";
import { createAgent } from "../../../src/operations/agents/create-agent.ts";
import { createEphemeralAgent } from "../../../src/operations/agents/create-ephemeral-agent.ts";
import { deleteAgent } from "../../../src/operations/agents/delete-agent.ts";
import { clearConversation } from "../../../src/operations/conversations/clear-conversation.ts";
import { recordConversation } from "../../../src/operations/conversations/record-conversation.ts";
import { systemOnly } from "../../../src/operations/core/access.ts";
import { proposal } from "../../../src/operations/core/define.ts";
import { setMemory } from "../../../src/operations/memory/set-memory.ts";
import { postMessage } from "../../../src/operations/messages/post-message.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { manualClock } from "../../support/manual-clock.ts";
import { refused } from "../../support/result.ts";
import { answerDirectly, conversationKept, tell } from "../../support/team/conversation.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";
import { agentFile, agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

const DAY_MS = 86_400_000;
const FOLDER = ".agents/alice/conversations";
const TODAY = `${FOLDER}/2026-01-05.md`;

function written(project: TestProject, file = TODAY): string {
  const path = join(project.dir, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

const alice = { files: agentFile("alice") };

const sayDirectly = proposal(
  {
    name: "say-directly",
    summary: "What the system itself says to alice.",
    input: z.object({ kind: z.enum(["prompt", "notice"]), body: z.string() }),
    output: receiptView,
  },
  {
    access: systemOnly,
    execute: (data, ctx) => postMessage(ctx, { target: { kind: "dm", agent: "alice" }, sender: "system", ...data }),
  },
);

describe("a conversation", () => {
  it("[conversation.day-file] is kept in the file of its day: both sides, and what the system says, in order", async () => {
    await using project = await openTeam();
    await tell(project, "alice", "Hello,\nalice\n");
    project.clock.advance(5_000);
    await answerDirectly(project, "alice", "Hi");
    await callOk(project, systemCaller, sayDirectly, { kind: "prompt", body: "Look around." });
    await callOk(project, systemCaller, sayDirectly, { kind: "notice", body: "Something was dropped." });
    await callOk(project, person, sendMessage, { to: "@review", message: "@alice in the team" });
    await callOk(project, person, sendMessage, { to: "alice@review", message: "beside the channel" });
    project.clock.advance(DAY_MS);
    await tell(project, "alice", "Next day");
    await conversationKept(project, "alice");
    expect(written(project)).toBe(
      [
        "### 09:00:00 [user]\nHello,\nalice\n\n",
        "### 09:00:05 [alice]\nHi\n\n",
        "### 09:00:05 [system]\nLook around.\n\n",
        "### 09:00:05 [system]\nSomething was dropped.\n\n",
      ].join(""),
    );
    expect(written(project, `${FOLDER}/2026-01-06.md`)).toBe("### 09:00:05 [user]\nNext day\n\n");
    expect(existsSync(join(project.dir, ".agents/bob"))).toBe(false);
  });

  it("has everything once, however fast it comes and however alike it is", async () => {
    await using project = await openTestProject(alice);
    await Promise.all(
      Array.from({ length: 300 }, (_, n) => tell(project, "alice", n % 2 === 0 ? "ok" : `number ${n}`)),
    );
    await conversationKept(project, "alice");
    const stored = await project.store.read((store) => store.messages.page({ space: "alice", limit: 1000 }));
    expect(written(project)).toBe(stored.map(({ body }) => `### 09:00:00 [user]\n${body}\n\n`).join(""));
    await tell(project, "alice", "ok");
    await conversationKept(project, "alice");
    expect(written(project).split("\nok\n")).toHaveLength(152);
  });

  it("of an ephemeral agent is not kept, and is not inherited by who takes its name", async () => {
    await using project = await openTestProject();
    await callOk(project, person, createEphemeralAgent, { name: "zoe", backend: "mock", system: "You pass." });
    await tell(project, "zoe", "hello");
    expect(await project.conversations.record("zoe")).toMatchObject({ ok: true });
    expect(existsSync(join(project.dir, ".agents"))).toBe(false);
    await using next = await project.reopen();
    await callOk(next, person, createAgent, { name: "zoe", backend: "mock", system: "You stay." });
    await tell(next, "zoe", "welcome");
    await conversationKept(next, "zoe");
    expect(written(next, ".agents/zoe/conversations/2026-01-05.md")).toBe("### 09:00:00 [user]\nwelcome\n\n");
  });

  it("is over when the agent is deleted with its context", async () => {
    await using project = await openTestProject(alice);
    await blocked(project, async () => {
      await tell(project, "alice", "before");
      await answerDirectly(project, "alice", "never kept");
    });
    await callOk(project, person, deleteAgent, { name: "alice" });
    await callOk(project, person, createAgent, { name: "alice", backend: "mock", system: "Another." });
    await tell(project, "alice", "after");
    await conversationKept(project, "alice");
    expect(written(project)).toBe("### 09:00:00 [user]\nafter\n\n");
  });

  it("waits for an agent whose file has a mistake in it", async () => {
    await using project = await openTestProject(alice);
    await tell(project, "alice", "one");
    await conversationKept(project, "alice");
    await blocked(project, () => tell(project, "alice", "two"));
    project.write(".agents/alice.yaml", "prompt: [\n");
    await using broken = await project.reopen();
    expect(await callOk(broken, systemCaller, recordConversation, { agent: "alice" })).toEqual({
      recorded: 0,
      more: false,
    });
    broken.write(".agents/alice.yaml", agentFile("alice")[".agents/alice.yaml"] ?? "");
    await using mended = await broken.reopen();
    await conversationKept(mended, "alice");
    expect(written(mended)).toBe("### 09:00:00 [user]\none\n\n### 09:00:00 [user]\ntwo\n\n");
  });
});

/** Nothing can be written where the folder should be; what was in it comes back afterwards. */
async function blocked<T>(project: TestProject, work: () => Promise<T>): Promise<void> {
  const path = join(project.dir, FOLDER);
  const before = written(project);
  rmSync(path, { recursive: true, force: true });
  project.write(FOLDER, "a file where the folder should be");
  await work();
  // Waits its turn, so that the recorder has tried everything before.
  refused(await project.services.archiveConversation("alice"));
  rmSync(path);
  if (before !== "") project.write(TODAY, before);
}

describe("a conversation that is set aside", () => {
  it("does not come back, not even what was not in the file yet", async () => {
    await using project = await openTeam();
    await callOk(project, agentIn(REVIEW, "alice"), setMemory, { key: "likes", value: "tea" });
    await Promise.all([1, 2, 3].map((n) => tell(project, "alice", `number ${n}`)));
    const [{ archived }] = await Promise.all([
      callOk(project, person, clearConversation, { agent: "alice" }),
      tell(project, "bob", "meanwhile"),
    ]);
    expect(archived).toEqual(["archive/2026-01-05.md"]);
    expect(
      written(project, `${FOLDER}/archive/2026-01-05.md`)
        .match(/number \d/g)
        ?.toSorted(),
    ).toEqual(["number 1", "number 2", "number 3"]);
    expect(written(project)).toBe("");
    await using again = await project.reopen();
    await tell(again, "alice", "afresh");
    await conversationKept(again, "alice");
    expect(written(again)).toBe("### 09:00:00 [user]\nafresh\n\n");
    expect(readdirSync(join(again.dir, ".agents/alice/memory"))).toHaveLength(1);
  });

  it("is not set aside when what was said cannot be kept first", async () => {
    await using project = await openTestProject(alice);
    await blocked(project, async () => {
      await tell(project, "alice", "hello");
      expect(await callRefused(project, person, clearConversation, { agent: "alice" })).toMatchObject({
        message: expect.any(String),
      });
    });
    expect(project.published.map(({ type }) => type)).not.toContain("conversation.cleared");
    await callOk(project, person, clearConversation, { agent: "alice" });
    expect(written(project, `${FOLDER}/archive/2026-01-05.md`)).toContain("hello");
  });
});

describe("a file that cannot be written", () => {
  it("fails no message, is said in the log, and is made up for with the next one", async () => {
    const lines: string[] = [];
    const log = createLog({
      clock: manualClock(),
      level: "warn",
      redactValue: (value) => value,
      sink: (line) => void lines.push(line),
    });
    await using project = await openTestProject({ ...alice, log });
    await blocked(project, async () => {
      await tell(project, "alice", "one");
      await vi.waitFor(() => {
        project.clock.advance(20);
        expect(lines.join()).toContain("a conversation could not be kept");
      });
    });
    expect(lines.join()).toContain('"agent":"alice"');
    await tell(project, "alice", "two");
    await conversationKept(project, "alice");
    expect(written(project)).toBe("### 09:00:00 [user]\none\n\n### 09:00:00 [user]\ntwo\n\n");
  });
});

describe("a crash", () => {
  const whole = "### 09:00:00 [user]\none\n\n### 09:00:00 [user]\none\n\n### 09:00:00 [user]\nthree\n\n";

  it.each([
    ["before anything was written", 0],
    ["in the middle of an entry", whole.indexOf("three") + 2],
    ["between two entries", whole.lastIndexOf("###")],
    ["between the file and the commit", whole.length],
  ])("%s is made up for at the next start, with nothing twice", async (_when, length) => {
    await using first = await openTestProject(alice);
    await blocked(first, async () => {
      for (const text of ["one", "one", "three"]) await tell(first, "alice", text);
    });
    first.write(TODAY, whole.slice(0, length));
    await using project = await first.reopen();
    await conversationKept(project, "alice");
    expect(written(project)).toBe(whole);
  });

  it("after the commit leaves alone what a person made of the file", async () => {
    await using first = await openTestProject(alice);
    await tell(first, "alice", "one");
    await conversationKept(first, "alice");
    writeFileSync(join(first.dir, TODAY), "");
    await using project = await first.reopen();
    await tell(project, "alice", "two");
    await conversationKept(project, "alice");
    expect(written(project)).toBe("### 09:00:00 [user]\ntwo\n\n");
  });
});

describe("record-conversation", () => {
  it("is the system's own business, and does nothing when nothing is due", async () => {
    await using project = await openTeam();
    await callOk(project, person, openWorkspace, { workflow: "review", tag: "other" });
    for (const caller of [person, agentIn("alice", "alice")]) {
      expect(await callRefused(project, caller, recordConversation, { agent: "alice" })).toMatchObject({
        code: "forbidden",
      });
    }
    for (const agent of ["alice", "nobody"]) {
      expect(await callOk(project, systemCaller, recordConversation, { agent })).toEqual({ recorded: 0, more: false });
    }
    expect(existsSync(join(project.dir, FOLDER))).toBe(false);
  });
});
