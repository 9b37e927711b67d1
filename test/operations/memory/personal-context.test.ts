import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_EVENTS } from "../../../src/domain/event.ts";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { createEphemeralAgent } from "../../../src/operations/agents/create-ephemeral-agent.ts";
import { clearConversation } from "../../../src/operations/conversations/clear-conversation.ts";
import { readConversation } from "../../../src/operations/conversations/read-conversation.ts";
import { forgetMemory } from "../../../src/operations/memory/forget-memory.ts";
import { getMemory } from "../../../src/operations/memory/get-memory.ts";
import { listMemory } from "../../../src/operations/memory/list-memory.ts";
import { searchMemory } from "../../../src/operations/memory/search-memory.ts";
import { setMemory } from "../../../src/operations/memory/set-memory.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { addNote } from "../../../src/operations/notes/add-note.ts";
import { listNotes } from "../../../src/operations/notes/list-notes.ts";
import { readNote } from "../../../src/operations/notes/read-note.ts";
import { addTodo } from "../../../src/operations/todos/add-todo.ts";
import { finishTodo } from "../../../src/operations/todos/finish-todo.ts";
import { listTodos } from "../../../src/operations/todos/list-todos.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { agentCaller } from "../../support/team/agent-caller.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";

const AGENT = "backend: mock\nprompt: { system: Hello. }\n";
const SECRET = `sk-ant-${"a1B2".repeat(12)}`;

const alice = agentCaller("alice");

function team(files: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  return openTestProject({
    files: {
      ".agents/alice.yaml": AGENT,
      ".agents/bob.yaml": AGENT,
      ".workflows/review.yaml":
        "agents:\n  alice: { ref: alice }\n  scribe: { ref: alice }\n  bob: { backend: mock, prompt: { system: Hi. } }\n  helper: { backend: mock, prompt: { system: Hi. } }\n",
      ".workflows/passing.yaml": "agents:\n  alice: { ref: alice }\nworkspace: { provider: memory }\n",
      ...files,
    },
  });
}

const types = (project: TestProject): string[] => project.published.map(({ type }) => type);

/** Everything below the folder, as paths. */
function filesIn(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir, { recursive: true, encoding: "utf8" }).sort() : [];
}

describe("memory", () => {
  it("[memory.set-get] [memory.facts] is set, got, listed and searched, and its author is the caller", async () => {
    const first = await team();
    const { entry } = await callOk(first, person, setMemory, { agent: "alice", key: "style", value: "short and kind" });
    expect(entry).toMatchObject({ tier: "working", visibility: "private", source: "user" });
    await callOk(first, alice, setMemory, { key: "tests", value: true, visibility: "shareable", tier: "archive" });
    await callOk(first, systemCaller, setMemory, { agent: "alice", key: "limit", value: 3 });

    await using project = await first.reopen();
    expect((await callOk(project, alice, getMemory, { key: "style" })).entry).toEqual(entry);
    expect((await callOk(project, alice, getMemory, { key: entry.id ?? "" })).entry).toEqual(entry);
    const { agent, entries } = await callOk(project, person, listMemory, { agent: "alice" });
    expect(agent).toBe("alice");
    expect(entries.map(({ key, value, source }) => [key, value, source])).toEqual([
      ["style", "short and kind", "user"],
      ["tests", true, "alice"],
      ["limit", 3, "system"],
    ]);
    const archived = await callOk(project, alice, listMemory, { tier: "archive" });
    expect(archived.entries.map(({ key }) => key)).toEqual(["tests"]);
    const found = await callOk(project, alice, searchMemory, { query: "KIND short" });
    expect(found.entries.map(({ key }) => key)).toEqual(["style"]);
    expect((await callOk(project, alice, searchMemory, { query: "short", tier: "core" })).entries).toEqual([]);
    expect(first.published).toMatchObject([
      { type: "memory.stored", agent: "alice", key: "style" },
      { type: "memory.stored", agent: "alice", key: "tests" },
      { type: "memory.stored", agent: "alice", key: "limit" },
    ]);
  });

  it("[memory.yaml] is what the files say now, and a broken one costs only itself", async () => {
    await using project = await team({
      ".agents/alice/memory/preferences.yaml": "indent: { size: 2, tabs: false }\n",
      ".agents/alice/memory/broken.yaml": "a: [\n",
    });
    const { entries, problems } = await callOk(project, alice, listMemory, {});
    expect(entries).toMatchObject([{ key: "indent", value: { size: 2, tabs: false }, source: "user", id: null }]);
    expect(problems).toMatchObject([{ file: "broken.yaml" }]);
    project.write(".agents/alice/memory/preferences.yaml", "indent: 4\n");
    expect((await callOk(project, alice, getMemory, { key: "indent" })).entry.value).toBe(4);
  });

  it("[memory.delete] [memory.missing] is forgotten by key or id, and what is not there is refused by name", async () => {
    await using project = await team();
    const { entry } = await callOk(project, alice, setMemory, { key: "one", value: "first" });
    await callOk(project, alice, setMemory, { key: "two", value: "second" });
    expect((await callOk(project, alice, forgetMemory, { key: "two" })).entry.value).toBe("second");
    await callOk(project, alice, forgetMemory, { key: entry.id ?? "" });
    expect(readFileSync(join(project.dir, ".agents/alice/memory/learned.yaml"), "utf8").trim()).toBe("");
    for (const operation of [getMemory, forgetMemory]) {
      const refusal = await callRefused(project, alice, operation, { key: "two" });
      expect(refusal).toMatchObject({ code: "not_found" });
      expect(refusal.message).toContain('"two"');
    }
    expect(types(project)).toEqual(["memory.stored", "memory.stored", "memory.forgotten", "memory.forgotten"]);
  });

  it("leaves core and what a person wrote to persons", async () => {
    await using project = await team({ ".agents/alice/memory/preferences.yaml": "indent: 2\n" });
    await callOk(project, person, setMemory, { agent: "alice", key: "creed", value: "be honest", tier: "core" });
    await callOk(project, person, setMemory, { agent: "alice", key: "owner", value: "Ada" });
    const stored = project.published.length;
    const attempts = [
      await callRefused(project, alice, setMemory, { key: "new", value: "mine", tier: "core" }),
      await callRefused(project, alice, setMemory, { key: "creed", value: "lie" }),
      await callRefused(project, alice, setMemory, { key: "creed", value: "lie", tier: "working" }),
      await callRefused(project, alice, setMemory, { key: "owner", value: "Eve" }),
      await callRefused(project, alice, setMemory, { key: "indent", value: 8 }),
      await callRefused(project, alice, forgetMemory, { key: "creed" }),
      await callRefused(project, alice, forgetMemory, { key: "indent" }),
    ];
    expect(attempts.map(({ code }) => code)).toEqual(attempts.map(() => "forbidden"));
    expect(attempts[1]?.message).toBe('"creed" is core memory, which only a person changes.');
    expect(attempts[4]?.message).toBe('"indent" was written by a person, who alone changes it.');
    expect(project.published).toHaveLength(stored);
    const { entries } = await callOk(project, alice, listMemory, {});
    expect(entries.map(({ key, value }) => [key, value])).toEqual([
      ["indent", 2],
      ["creed", "be honest"],
      ["owner", "Ada"],
    ]);
    await callOk(project, person, setMemory, { agent: "alice", key: "indent", value: 4 });
    await callOk(project, person, forgetMemory, { agent: "alice", key: "creed" });
  });

  it("[memory.redacted] [agent.context-folders] is written without secrets, like notes and todos", async () => {
    await using project = await team();
    const context = join(project.dir, ".agents/alice");
    expect(filesIn(context)).toEqual([]);
    await callOk(project, alice, setMemory, { key: "deploy", value: `use ${SECRET} to deploy` });
    await callOk(project, alice, setMemory, { key: "db_password", value: "correct-horse-9Xq2" });
    await callOk(project, alice, setMemory, { key: SECRET, value: "a key as a key" });
    await callOk(project, alice, addNote, { text: `The key is ${SECRET}.`, title: `About ${SECRET}` });
    await callOk(project, alice, addTodo, { text: `Rotate ${SECRET}` });
    const names = filesIn(context);
    expect(names).toEqual(expect.arrayContaining(["memory/learned.yaml", "todo/index.md"]));
    expect(names.filter((name) => !name.includes("/"))).toEqual(["memory", "notes", "todo"]);
    const everything = names
      .filter((name) => /\.(md|yaml)$/.test(name))
      .map((name) => `${name}\n${readFileSync(join(context, name), "utf8")}`)
      .join("\n");
    expect(everything).not.toContain("a1B2");
    expect(everything).not.toContain("correct-horse");
    expect(everything).toMatch(/value: use .* to deploy/);
    expect(JSON.stringify(project.published)).not.toContain("a1B2");
  });

  it("[memory.key-confined] has keys that are never paths", async () => {
    await using project = await team();
    await callOk(project, alice, setMemory, { key: "../../../escape", value: "text" });
    expect((await callOk(project, alice, getMemory, { key: "../../../escape" })).entry.file).toBe("learned.yaml");
    for (const key of ["__proto__", " padded", "two\nlines"]) {
      expect((await callRefused(project, alice, setMemory, { key, value: "text" })).code, key).toBe("invalid");
    }
    expect(filesIn(join(project.dir, ".agents")).filter((name) => name.includes("escape"))).toEqual([]);
  });
});

describe("notes and todos", () => {
  it("[note.add] [note.list] are written, listed newest first and read", async () => {
    await using project = await team();
    const { note } = await callOk(project, alice, addNote, { text: "Learned about auth\n\nTokens expire." });
    const info = { name: "2026-01-05-learned-about-auth.md", day: "2026-01-05", title: "Learned about auth" };
    expect(note).toEqual({ ...info, outside: true });
    project.clock.advance(86_400_000);
    await callOk(project, person, addNote, { agent: "alice", text: "Second", title: "Later" });
    const { notes } = await callOk(project, alice, listNotes, {});
    expect(notes.map(({ title, outside }) => [title, outside])).toEqual([
      ["Later", false],
      ["Learned about auth", true],
    ]);
    expect((await callOk(project, alice, listNotes, { limit: 1 })).notes).toHaveLength(1);
    const read = await callOk(project, person, readNote, { agent: "alice", name: note.name });
    expect(read.content).toBe("Learned about auth\n\nTokens expire.\n");
    expect((await callRefused(project, alice, readNote, { name: "../../alice.yaml" })).code).toBe("invalid");
    expect((await callRefused(project, alice, readNote, { name: "missing.md" })).code).toBe("not_found");
    expect((await callRefused(project, alice, addNote, { text: " \n" })).code).toBe("invalid");
    expect(project.published).toMatchObject([
      { type: "note.added", agent: "alice", file: note.name },
      { type: "note.added", agent: "alice", file: "2026-01-06-later.md" },
    ]);
  });

  it("[todo.add] [todo.list] [todo.done] are added, numbered and ticked off", async () => {
    await using project = await team({ ".agents/alice/todo/index.md": "# Mine\n\n- [x] done before\n" });
    for (const text of ["Review PR", "Write docs", "Rest"]) await callOk(project, alice, addTodo, { text });
    expect((await callOk(project, person, finishTodo, { agent: "alice", number: 2 })).todo).toEqual({
      number: null,
      text: "Write docs",
      done: true,
      outside: true,
    });
    const { todos } = await callOk(project, alice, listTodos, {});
    expect(todos.map(({ number, text }) => [number, text])).toEqual([
      [1, "Review PR"],
      [2, "Rest"],
    ]);
    expect((await callOk(project, alice, listTodos, { all: true })).todos).toHaveLength(4);
    const unknown = await callRefused(project, alice, finishTodo, { number: 3 });
    expect(unknown).toMatchObject({ code: "not_found" });
    expect(unknown.message).toContain("1 to 2");
    expect((await callRefused(project, alice, finishTodo, { number: 1, text: "Something else" })).code).toBe(
      "conflict",
    );
    expect((await callRefused(project, alice, finishTodo, { number: 0 })).code).toBe("invalid");
    expect(types(project)).toEqual(["todo.changed", "todo.changed", "todo.changed", "todo.changed"]);
    expect(readFileSync(join(project.dir, ".agents/alice/todo/index.md"), "utf8")).toContain("# Mine\n\n- [x] done");
  });
});

describe("conversations", () => {
  it("[conversation.set-aside] are read by day or from the end, and cleared by setting them aside", async () => {
    await using project = await team({
      ".agents/alice/conversations/2026-01-03.md": "### 10:00:00 [user]\nHello\n\n### 10:00:05 [alice]\nHi\n",
      ".agents/alice/conversations/2026-01-04.md": "### 11:00:00 [user]\nAgain\n",
    });
    const recent = await callOk(project, alice, readConversation, { limit: 2 });
    expect(recent.entries.map(({ sender, text }) => [sender, text])).toEqual([
      ["alice", "Hi"],
      ["user", "Again"],
    ]);
    const day = await callOk(project, person, readConversation, { agent: "alice", day: "2026-01-03" });
    expect(day.entries.map(({ text }) => text)).toEqual(["Hello", "Hi"]);
    expect((await callRefused(project, alice, readConversation, { day: "yesterday" })).code).toBe("invalid");

    expect((await callRefused(project, alice, clearConversation, { agent: "alice" })).code).toBe("forbidden");
    expect(types(project)).toEqual([]);
    const { archived } = await callOk(project, person, clearConversation, { agent: "alice" });
    expect(archived).toEqual(["archive/2026-01-03.md", "archive/2026-01-04.md"]);
    expect(project.published).toMatchObject([{ type: "conversation.cleared", agent: "alice" }]);
    expect((await callOk(project, alice, readConversation, {})).entries).toEqual([]);
    const kept = join(project.dir, ".agents/alice/conversations/archive/2026-01-04.md");
    expect(readFileSync(kept, "utf8")).toContain("Again");
  });
});

describe("whose it is", () => {
  it("[agent.shared-context] is one agent's in every workspace, under whatever name it takes part", async () => {
    await using project = await team();
    await callOk(project, person, openWorkspace, { workflow: "review" });
    await callOk(project, person, openWorkspace, { workflow: "passing" });
    const places = [
      alice,
      agentCaller("alice", "@review:main"),
      agentCaller("scribe", "@review:main"),
      agentCaller("alice", "@passing:main"),
    ];
    for (const [index, caller] of places.entries()) {
      const { agent, entry } = await callOk(project, caller, setMemory, { key: `place-${index}`, value: "seen" });
      expect([agent, entry.source]).toEqual(["alice", "alice"]);
      await callOk(project, caller, addTodo, { text: `todo ${index}` });
      await callOk(project, caller, addNote, { text: `note ${index}` });
    }
    for (const caller of places) {
      expect((await callOk(project, caller, listMemory, {})).entries).toHaveLength(4);
      expect((await callOk(project, caller, listTodos, {})).todos).toHaveLength(4);
      expect((await callOk(project, caller, listNotes, {})).notes).toHaveLength(4);
    }
    const kept = (await project.store.read((store) => store.events.after(NO_EVENTS, 100))).events;
    expect(kept.filter(({ type }) => type === "memory.stored")).toHaveLength(4);
  });

  it("[memory.list] [proposal.access] is never another agent's", async () => {
    await using project = await team();
    await callOk(project, person, setMemory, { agent: "bob", key: "secret plan", value: "bob's" });
    expect((await callOk(project, alice, listMemory, {})).entries).toEqual([]);
    const refusals = [
      await callRefused(project, alice, listMemory, { agent: "bob" }),
      await callRefused(project, alice, getMemory, { agent: "bob", key: "secret plan" }),
      await callRefused(project, alice, searchMemory, { agent: "bob", query: "plan" }),
      await callRefused(project, alice, setMemory, { agent: "bob", key: "k", value: "v" }),
      await callRefused(project, alice, forgetMemory, { agent: "bob", key: "secret plan" }),
      await callRefused(project, alice, listNotes, { agent: "bob" }),
      await callRefused(project, alice, readNote, { agent: "bob", name: "a.md" }),
      await callRefused(project, alice, addNote, { agent: "bob", text: "t" }),
      await callRefused(project, alice, listTodos, { agent: "bob" }),
      await callRefused(project, alice, addTodo, { agent: "bob", text: "t" }),
      await callRefused(project, alice, finishTodo, { agent: "bob", number: 1 }),
      await callRefused(project, alice, readConversation, { agent: "bob" }),
    ];
    expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => "forbidden"));
    expect(refusals[0]?.message).toBe("alice cannot use what belongs to bob.");
    expect((await callOk(project, alice, listMemory, { agent: "alice" })).agent).toBe("alice");
    expect(types(project)).toEqual(["memory.stored"]);
    expect(filesIn(join(project.dir, ".agents/bob"))).toEqual(["memory", "memory/learned.yaml"]);
  });

  it("has to be said by a person, who is told what is wrong with the name", async () => {
    await using project = await team();
    await callOk(project, person, openWorkspace, { workflow: "review" });
    expect((await callRefused(project, person, listMemory, {})).message).toBe("Which agent is meant?");
    const unknown = await callRefused(project, person, listMemory, { agent: "alise" });
    expect(unknown).toMatchObject({ code: "not_found", message: 'There is no agent called "alise".' });
    const inline = await callRefused(project, person, listMemory, { agent: "helper" });
    expect(inline.message).toBe("helper exists only in @review:main: it has no personal context.");
    expect((await callRefused(project, person, listMemory, { agent: "scribe" })).code).toBe("not_found");
  });

  it("[conversation.inline-none] is nobody's for inline and ephemeral agents, and they leave no files", async () => {
    await using project = await team();
    await callOk(project, person, openWorkspace, { workflow: "review" });
    await callOk(project, person, createEphemeralAgent, { backend: "mock" });
    await callOk(project, person, sendMessage, { to: "agent-1", message: "hello" });
    await callOk(project, person, sendMessage, { to: "bob@review", message: "hello" });
    const before = project.published.length;
    // The project has a bob too: the one in the workspace must not get at what is his.
    for (const caller of [agentCaller("bob", "@review:main"), agentCaller("helper", "@review:main")]) {
      for (const refusal of [
        await callRefused(project, caller, setMemory, { key: "k", value: "v" }),
        await callRefused(project, caller, addNote, { text: "t" }),
        await callRefused(project, caller, addTodo, { text: "t" }),
        await callRefused(project, caller, readConversation, {}),
      ]) {
        expect(refusal.code).toBe("not_found");
        expect(refusal.message).toMatch(/exists only in @review:main: it has no personal context/);
      }
    }
    const ephemeral = await callRefused(project, agentCaller("agent-1"), readConversation, {});
    expect(ephemeral.message).toBe("agent-1 is ephemeral: it has no personal context.");
    const byPerson = await callRefused(project, person, setMemory, { agent: "agent-1", key: "k", value: "v" });
    expect(byPerson.hint).toContain("--from agent-1");
    expect(project.published).toHaveLength(before);
    expect(filesIn(join(project.dir, ".agents"))).toEqual(["alice.yaml", "bob.yaml"]);
  });
});
