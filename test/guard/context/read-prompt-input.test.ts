import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { receiptView } from "../../../src/contract/messages.ts";
import { readSystemPrompt } from "../../../src/files/definitions/system-prompt-file.ts";
import { createFileDocuments } from "../../../src/files/documents/file-documents.ts";
import { createPersonalFiles } from "../../../src/files/personal/personal-files.ts";
import { assemblePrompt } from "../../../src/guard/context/assemble-prompt.ts";
import type { PromptInput } from "../../../src/guard/context/prompt-input.ts";
import { readPromptInput, type PromptSources } from "../../../src/guard/context/read-prompt-input.ts";
import { createRecentMessages } from "../../../src/guard/context/recent-messages.ts";
import { createTeams } from "../../../src/guard/context/teams.ts";
import { memberRoles } from "../../../src/guard/identity/current-soul.ts";
import { mailboxAgent } from "../../../src/domain/delivery/mailbox.ts";
import { findRunAgent } from "../../../src/operations/runs/run-agent.ts";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { createEphemeralAgent } from "../../../src/operations/agents/create-ephemeral-agent.ts";
import { clearConversation } from "../../../src/operations/conversations/clear-conversation.ts";
import { systemOnly } from "../../../src/operations/core/access.ts";
import { proposal } from "../../../src/operations/core/define.ts";
import { writeDocument } from "../../../src/operations/documents/write-document.ts";
import { setMemory } from "../../../src/operations/memory/set-memory.ts";
import { postMessage } from "../../../src/operations/messages/post-message.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import type { DeliveryRecord } from "../../../src/ports/store/delivery.ts";
import { refused, value } from "../../support/result.ts";
import { answerDirectly, conversationKept, tell } from "../../support/team/conversation.ts";
import { callOk, openTestProject, type TestProject } from "../../support/team/project.ts";
import { agentFile, agentIn, openTeam, REVIEW, workflowFile } from "../../support/team/team.ts";

function sources(project: TestProject): PromptSources {
  return {
    read: (work) => project.store.read(work),
    recent: createRecentMessages(),
    teams: createTeams(memberRoles(project.services)),
    personal: (agent) =>
      createPersonalFiles({ root: project.dir, dir: `.agents/${agent}`, clock: project.clock, newId: () => "mem_1" }),
    documents: ({ dir }) => createFileDocuments({ root: project.dir, dir: `${dir}/documents` }),
    systemPrompt: (prompt) => readSystemPrompt(project.dir, prompt),
  };
}

/** What a run would be given that answers everything that waits in the mailbox there. */
async function read(project: TestProject, mailbox: string, space: string) {
  const now = project.clock.now();
  const deliveries: DeliveryRecord[] = await project.store.read((store) =>
    store.deliveries.pending({ mailbox, space, now, limit: 50 }),
  );
  const run = { agent: mailboxAgent(mailbox), space };
  const found = await project.store.read((store) => findRunAgent(store, project.definitions, run));
  if (found.kind !== "found") throw new Error(`${mailbox} is missing in ${space}`);
  return readPromptInput(sources(project), { run, agent: found.agent, deliveries, skills: [], tools: [], now });
}

async function input(project: TestProject, mailbox: string, space: string): Promise<PromptInput> {
  return value(await read(project, mailbox, space));
}

/** What the system itself says: tasks, and the prompts of schedules. */
const sayToAlice = proposal(
  {
    name: "say-to-alice",
    summary: "Say something to alice, in the review or directly.",
    input: z.object({
      kind: z.enum(["kickoff", "prompt", "message"]),
      body: z.string(),
      directly: z.boolean().default(false),
    }),
    output: receiptView,
  },
  {
    access: systemOnly,
    space: () => REVIEW,
    execute: ({ kind, body, directly }, ctx) =>
      postMessage(ctx, {
        target: directly
          ? { kind: "dm", agent: "alice" }
          : { kind: "agent", workflow: "review", tag: "main", agent: "alice" },
        sender: "system",
        kind,
        body,
      }),
  },
);

describe("what a run in a workspace is given", () => {
  it("[prompt.workspace] is the inbox, the channel and the documents of that workspace and of no other", async () => {
    await using project = await openTeam({ files: workflowFile("deploy", "agents: { alice: { ref: alice } }\n") });
    await callOk(project, person, openWorkspace, { workflow: "deploy" });
    await callOk(project, person, writeDocument, { target: "@review", content: "review notes" });
    await callOk(project, person, writeDocument, { target: "@deploy", content: "deploy notes" });
    await callOk(project, person, sendMessage, { to: "@review", message: "said in review" });
    await callOk(project, person, sendMessage, { to: "@review", message: "@alice asked in review" });
    await callOk(project, person, sendMessage, { to: "@deploy", message: "@alice asked in deploy" });
    await callOk(project, person, sendMessage, { to: "alice", message: "asked directly" });

    const given = await input(project, "alice", REVIEW);
    expect(given.inbox.map(({ lane, message }) => [lane, message.from, message.body])).toEqual([
      ["immediate", "user", "@alice asked in review"],
    ]);
    expect(given.place).toMatchObject({
      kind: "workspace",
      name: "review",
      team: [
        { agent: "alice", role: "reviewer" },
        { agent: "bob", role: null },
        { agent: "carol", role: null },
        { agent: "helper", role: null },
      ],
      documents: { owner: null, files: [{ file: "notes.md" }], main: { beginning: "review notes", characters: 12 } },
    });
    const { prompt } = assemblePrompt(given);
    expect(prompt).toContain("said in review");
    expect(prompt).not.toMatch(/deploy|directly/);
  });

  it("has the same memory in every workspace", async () => {
    await using project = await openTeam({ files: workflowFile("deploy", "agents: { alice: { ref: alice } }\n") });
    await callOk(project, person, openWorkspace, { workflow: "deploy" });
    await callOk(project, agentIn(REVIEW, "alice"), setMemory, { key: "ci", value: "runs on Node 24" });
    const { prompt } = assemblePrompt(await input(project, "alice", "@deploy:main"));
    expect(prompt).toContain("- ci (2026-01-05, from alice, outside text, in @review): runs on Node 24");
  });

  it("[prompt.append] has the addition of the workflow, and the memory of whoever it refers to under another name", async () => {
    await using project = await openTestProject({
      files: {
        ...agentFile("alice"),
        ".agents/alice/memory/facts.yaml": "likes: tea\n",
        ...workflowFile("w", "agents:\n  critic: { ref: alice, prompt: { append: Be strict here. } }\n"),
      },
    });
    await callOk(project, person, openWorkspace, { workflow: "w" });
    const given = await input(project, "critic@w:main", "@w:main");
    const { system: text, prompt } = assemblePrompt(given);
    expect(text).toContain("You are alice.");
    expect(text).toContain("Be strict here.");
    expect(text).toContain("- critic (you)");
    expect(prompt).toContain("likes (undated, from user): tea");
  });

  it("holds no personal context for an inline agent, even one called like an agent of the project", async () => {
    await using project = await openTestProject({
      files: {
        ...agentFile("alice"),
        ".agents/alice/memory/facts.yaml": "secret: hers\n",
        ...workflowFile("w", "agents:\n  alice: { backend: mock, prompt: { system: Another alice. } }\n"),
      },
    });
    await callOk(project, person, openWorkspace, { workflow: "w" });
    const given = await input(project, "alice@w:main", "@w:main");
    expect(given.personal).toBeNull();
    expect(given.systemPrompt).toBe("Another alice.");
    expect(given.problems).toEqual([]);
  });

  it("has the kickoff and the prompt of a schedule whole, and of other long messages the beginning and where the rest is", async () => {
    await using project = await openTeam();
    const long = (what: string) => `@alice ${what}\n${"line of it\n".repeat(2000)}end of ${what}`;
    for (const kind of ["kickoff", "prompt", "message"] as const) {
      await callOk(project, systemCaller, sayToAlice, { kind, body: long(kind) });
    }
    const given = await input(project, "alice", REVIEW);
    expect(given.inbox.map(({ message }) => message.kind)).toEqual(["kickoff", "prompt", "message"]);
    const { prompt } = assemblePrompt(given);
    expect(prompt).toContain(long("kickoff"));
    expect(prompt).toContain(long("prompt"));
    expect(prompt).not.toContain("end of message");
    expect(given.inbox.map(({ message }) => message.resource)).toEqual([null, null, expect.stringMatching(/^res_/)]);
    expect(prompt).toContain(`resource="${given.inbox[2]?.message.resource}"`);
  });

  it("does not overhear the others where there is no channel", async () => {
    await using project = await openTestProject({
      files: {
        ...agentFile("alice"),
        ...agentFile("bob"),
        ...workflowFile("q", "context: false\nagents: { alice: { ref: alice }, bob: { ref: bob } }\n"),
      },
    });
    await callOk(project, person, openWorkspace, { workflow: "q" });
    await callOk(project, person, sendMessage, { to: "bob@q", message: "for bob" });
    await callOk(project, person, sendMessage, { to: "alice@q", message: "for alice" });
    const given = await input(project, "alice", "@q:main");
    expect(given.place.recent.map(({ body }) => body)).toEqual(["for alice"]);
    expect(given.place).toMatchObject({ channel: false, documents: null });
  });

  it("goes on without what cannot be read, and the receipt says so", async () => {
    await using project = await openTeam({ files: { ".agents/alice/memory/broken.yaml": "a: [\n" } });
    const given = await input(project, "alice", REVIEW);
    const { receipt } = assemblePrompt(given);
    const part = receipt.parts.find(({ part: name }) => name === "working memory");
    expect(part?.leftOut).toMatchObject([{ reason: "unreadable", count: 1 }]);
    expect(part?.leftOut[0]?.names[0]).toContain("broken.yaml");
  });
});

describe("what a run for a direct message is given", () => {
  it("[prompt.dm-personal] is personal context and conversation, without the message it is asked", async () => {
    await using project = await openTeam();
    await tell(project, "alice", "What is new?");
    await answerDirectly(project, "alice", "Nothing.");
    await tell(project, "alice", "And\r\nnow,\u2028alice?");
    await callOk(project, person, sendMessage, { to: "@review", message: "@alice in the team" });

    for (const kept of [false, true]) {
      if (kept) await conversationKept(project, "alice");
      const given = await input(project, "alice", "alice");
      expect(given.place.kind).toBe("direct");
      expect(given.inbox.map(({ message }) => message.body)).toEqual(["And\r\nnow,\u2028alice?"]);
      const { prompt } = assemblePrompt(given);
      expect(prompt.match(/What is new\?|Nothing\.|And\s+now,\s+alice\?|in the team/g)).toEqual([
        "What is new?",
        "Nothing.",
        "And\r\nnow,\u2028alice?",
      ]);
    }
    const kept = await input(project, "alice", "alice");
    expect(kept.place.recent.map(({ from, body }) => [from, body])).toEqual([
      ["user", "What is new?"],
      ["alice", "Nothing."],
    ]);

    await callOk(project, person, clearConversation, { agent: "alice" });
    expect((await input(project, "alice", "alice")).place.recent).toEqual([]);
  });

  it("[conversation.continues] goes on with what was said before, also after a restart", async () => {
    await using first = await openTeam();
    await tell(first, "alice", "My name is Ada.");
    await answerDirectly(first, "alice", "Hello Ada.");
    await using project = await first.reopen();
    await tell(project, "alice", "What is my name?");
    const said = (await input(project, "alice", "alice")).place.recent.filter(
      ({ body }) => body !== "What is my name?",
    );
    expect(said.map(({ from, body }) => [from, body])).toEqual([
      ["user", "My name is Ada."],
      ["alice", "Hello Ada."],
    ]);
  });

  it("has a long prompt of a schedule once, and whole", async () => {
    await using project = await openTeam();
    const body = `Look around.\n${"line of it\n".repeat(2000)}The end.`;
    await callOk(project, systemCaller, sayToAlice, { kind: "prompt", body, directly: true });
    await conversationKept(project, "alice");
    const given = await input(project, "alice", "alice");
    expect(given.place.recent).toEqual([]);
    expect(assemblePrompt(given).prompt.split("Look around.")).toHaveLength(2);
    expect(assemblePrompt(given).prompt).toContain("The end.");
  });

  it("survives a conversation file with an impossible time", async () => {
    await using project = await openTeam({
      files: { ".agents/alice/conversations/2026-01-01.md": "### 99:99:99 [user]\nhi\n" },
    });
    expect(assemblePrompt(await input(project, "alice", "alice")).prompt).toContain('<message from="user">\nhi\n');
  });

  it("is the stored messages for an ephemeral agent, which has no files", async () => {
    await using project = await openTeam();
    await callOk(project, person, createEphemeralAgent, { name: "passing", backend: "mock", system: "You pass." });
    await callOk(project, person, sendMessage, { to: "passing", message: "hello" });
    const given = await input(project, "passing", "passing");
    expect(given.personal).toBeNull();
    expect(given.problems).toEqual([]);
    expect(given.inbox).toHaveLength(1);
    const { prompt } = assemblePrompt(given);
    expect(prompt.split("hello")).toHaveLength(2);
  });

  it("is refused when its prompt file or its workspace is gone", async () => {
    await using project = await openTeam({
      files: {
        ".agents/dora.yaml": "name: dora\nbackend: mock\nprompt: { system_file: dora.md }\n",
        ".agents/dora.md": "You are Dora.",
      },
    });
    expect((await input(project, "dora", "dora")).systemPrompt).toBe("You are Dora.");
    const definition = project.definitions.agent("dora");
    if (definition === undefined) throw new Error("there is no dora");
    rmSync(join(project.dir, ".agents/dora.md"));
    const agent = { definition, promptAppend: null, ref: "dora", owner: "dora" };
    const request = { agent, deliveries: [], skills: [], tools: [], now: 0 };
    const inSpace = (space: string) => readPromptInput(sources(project), { ...request, run: { agent: "dora", space } });
    expect(refused(await inSpace("dora")).code).toBe("not_found");
    expect(refused(await inSpace("@gone:main")).message).toContain("no workspace");
  });
});
