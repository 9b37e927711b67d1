import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KnowledgeAnswer, MemoryEntryView, QuestionView } from "../../../src/contract/memory.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import type { FakeReply, FakeToolCall, RecordedRequest } from "../../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { agentOn, MODEL_ENV } from "../../support/security/scripted-model.ts";

let guard: (request: RecordedRequest) => FakeReply = () => ({ status: 500 });
const guardRequests: RecordedRequest[] = [];
let model: FakeModelServer;
let daemon: CommandedDaemon;

/** A model that calls the tool that the last message of its prompt names: `do TOOL {json}`. */
function obey(request: RecordedRequest): FakeReply {
  const texts = request.messages.map((each) => JSON.stringify(each));
  const last = texts.at(-1) ?? "";
  if (last.includes("tool_result")) return { text: "Done." };
  const [, name = "", args = "{}"] = [...last.matchAll(/do (\w+) (\{.*?\})/g)].at(-1) ?? [];
  const call: FakeToolCall = { name, args: args.replaceAll("\\", "") };
  return name === "" ? { text: "Nothing to do." } : { toolCalls: [call] };
}

beforeAll(async () => {
  model = await startFakeModelServer((request) => {
    if ((request.body as { model?: unknown }).model !== "guard-model") return obey(request);
    guardRequests.push(request);
    return guard(request);
  });
  const provider = `{ name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`;
  daemon = await startCommandedDaemon({
    files: {
      ".agents/alice.yaml": agentOn(model, "alice"),
      ".agents/bob.yaml": agentOn(model, "bob"),
      ".agents/dora.yaml": agentOn(model, "dora"),
      ".agents/carol.yaml": agentOn(model, "carol", `guard: { model: guard-model, provider: ${provider} }\n`),
      ".workflows/review.yaml": `agents:\n  bob: bob\n  carl: { ref: carol }\nworkspace: {}\n`,
      ".workflows/copy.yaml": `agents:\n  bob: { model: fake-model, provider: ${provider}, prompt: { system: I am another bob. } }\n`,
    },
    env: MODEL_ENV,
  });
}, 60_000);
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

/** Returns what the agent had read when it had called its tool. */
async function say(agent: string, words: string): Promise<string> {
  const before = model.requests.length;
  await daemon.run(["send", agent, words, "--wait"]);
  const later = model.requests.slice(before).map(({ messages }) => JSON.stringify(messages));
  return later.findLast((text) => text.includes("tool_result")) ?? "";
}

async function entry(agent: string, key: string): Promise<MemoryEntryView> {
  return ((await daemon.json(["agent", "memory", agent, "get", key])) as { entry: MemoryEntryView }).entry;
}

describe("what agents know of each other", () => {
  it("is a summary with its sources, by key and day, and private memories are never in it [knowledge.sources]", async () => {
    const set = (key: string, value: string, ...more: string[]) =>
      daemon.run(["agent", "memory", "alice", "set", key, value, ...more]);
    await set(
      "deploy-day",
      "We deploy on Tuesdays. The office is quiet then. Nobody likes Mondays.",
      "--visibility",
      "public",
    );
    await set("deploy-code", "The deploy code is 4711.");
    const answer = (await daemon.json([
      "call",
      "ask-agent",
      '{"agent": "alice", "query": "when do we deploy?"}',
    ])) as KnowledgeAnswer;
    expect(answer).toMatchObject({ by: "rules", summary: expect.stringContaining("We deploy on Tuesdays.") });
    expect(answer.sources).toEqual([{ key: "deploy-day", day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }]);
    expect(JSON.stringify(answer)).not.toContain("4711");
    const seen = await say("bob", 'do ask_agent {"agent": "alice", "query": "when do we deploy?"}');
    expect(seen).toContain("From its memory:");
    expect(seen).toMatch(/deploy-day \(\d{4}-\d\d-\d\d\)/);
  }, 60_000);

  it("is told only to the agents that an entry names [knowledge.share-with]", async () => {
    await daemon.run([
      "agent",
      "memory",
      "alice",
      "set",
      "salary",
      "The salary budget is 90 thousand.",
      "--share-with",
      "bob",
    ]);
    expect(await entry("alice", "salary")).toMatchObject({ visibility: "private", sharedWith: ["bob"] });
    const ask = 'do ask_agent {"agent": "alice", "query": "what is the salary budget?"}';
    expect(await say("bob", ask)).toContain("90 thousand");
    expect(await say("carol", ask)).not.toContain("90 thousand");
    const byPerson = await daemon.json(["call", "ask-agent", '{"agent": "alice", "query": "salary budget"}']);
    expect(JSON.stringify(byPerson)).not.toContain("90 thousand");
    const { err, exit } = await daemon.run([
      "agent",
      "memory",
      "alice",
      "set",
      "x1",
      "a fact for nobody",
      "--share-with",
      "bbo",
    ]);
    expect(exit).not.toBe(0);
    expect(err).toContain('There is no agent called "bbo"');
  }, 60_000);

  it("is not told to an agent of a workflow that only has the same name [knowledge.same-name]", async () => {
    await daemon.run(["start", "copy", "--tag", "x"]);
    const seen = await say("bob@copy:x", 'do ask_agent {"agent": "alice", "query": "what is the salary budget?"}');
    expect(seen).toContain("tool_result");
    expect(seen).not.toContain("90 thousand");
  }, 60_000);

  it("can be shared by the agent itself, which names its team as it knows it [knowledge.share-with]", async () => {
    await say(
      "dora",
      'do memory_store {"content": "The window of room 3 is broken", "key": "window", "share_with": ["carol"]}',
    );
    expect(await entry("dora", "window")).toMatchObject({
      visibility: "private",
      sharedWith: ["carol"],
      outside: false,
    });
    expect(await say("carol", 'do ask_agent {"agent": "dora", "query": "which window is broken?"}')).toContain(
      "room 3",
    );
  }, 60_000);

  it("is written by the model of the asked agent's guard where it has one [knowledge.model]", async () => {
    await daemon.run([
      "agent",
      "memory",
      "carol",
      "set",
      "lunch",
      "Lunch is at noon on Fridays",
      "--visibility",
      "shareable",
    ]);
    await daemon.run(["agent", "memory", "carol", "set", "diary", "I dislike the lunch cook"]);
    guard = () => ({ text: '{"summary": "They eat at twelve.", "sources": ["1"]}' });
    const ask = ["call", "ask-agent", '{"agent": "carol", "query": "when is lunch?"}'];
    expect(await daemon.json(ask)).toMatchObject({
      by: "model",
      summary: "They eat at twelve.",
      sources: [{ key: "lunch" }],
    });
    const request = JSON.stringify(guardRequests.at(-1)?.messages);
    expect(request).toContain("Lunch is at noon");
    expect(request).not.toContain("dislike");
    expect(request).toContain('id=\\"question\\" source=\\"outside\\"');
    for (const text of [
      '{"summary": "All of it.", "sources": ["7"]}',
      '{"summary": "Made up.", "sources": []}',
      "Noon.",
    ]) {
      guard = () => ({ text });
      expect(await daemon.json(ask)).toMatchObject({ by: "rules", summary: "Lunch is at noon on Fridays" });
    }
  }, 60_000);

  it("shows who asked to the owner and to people [knowledge.questions]", async () => {
    const { questions } = (await daemon.json(["agent", "memory", "alice", "questions"])) as {
      questions: QuestionView[];
    };
    expect(questions.map(({ asker }) => asker)).toEqual(expect.arrayContaining(["bob", "carol", "user"]));
    const seen = await say("alice", 'do ask_agent {"agent": "alice"}');
    expect(seen).toContain("bob: what is the salary budget?");
    expect(await say("bob", 'do ask_agent {"agent": "alice"}')).toContain("cannot use what belongs to alice");
  }, 60_000);
});
