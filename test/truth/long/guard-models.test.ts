import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MemoryEntryView } from "../../../src/contract/memory.ts";
import type { RunDetailView, RunView } from "../../../src/contract/runs.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import type { FakeReply, RecordedRequest } from "../../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { agentOn, MODEL_ENV } from "../../support/security/scripted-model.ts";

/** What the guard's model is asked, and what it says; a test sets it. */
let guard: (request: RecordedRequest) => FakeReply = () => ({ text: '{"keep": true}' });
const guardRequests: RecordedRequest[] = [];

let model: FakeModelServer;
let daemon: CommandedDaemon;
beforeAll(async () => {
  model = await startFakeModelServer((request) => {
    if ((request.body as { model?: unknown }).model === "guard-model") {
      guardRequests.push(request);
      return guard(request);
    }
    const texts = JSON.stringify(request.messages);
    const order = [...texts.matchAll(/remember this: ([^"\\]+)/g)].at(-1)?.[1] ?? "nothing";
    return texts.includes("tool_result")
      ? { text: "Done." }
      : { toolCalls: [{ name: "memory_store", args: { content: order } }] };
  });
  const provider = `{ name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`;
  daemon = await startCommandedDaemon({
    files: {
      "moniro.yaml": `guard:\n  model: guard-model\n  provider: ${provider}\n  budget: { time: 15s }\nprices: { "*/guard-model": { input: 10, output: 10 } }\n`,
      ".agents/alice.yaml": agentOn(model, "alice"),
      ".agents/bob.yaml": agentOn(model, "bob", "guard: { validate: false }\n"),
      ".agents/carol.yaml": agentOn(model, "carol", "guard: { budget: { per_day: 10 } }\n"),
      ".agents/dora.yaml": agentOn(model, "dora"),
      ".agents/emil.yaml": agentOn(model, "emil", "memory: { budget: 150 }\n"),
      ".agents/emil/memory/known.yaml": Array.from(
        { length: 40 },
        (_, at) => `note-${at}: The shelf ${at} holds boxes of old paper`,
      ).join("\n"),
      ".agents/emil/memory/archive.yaml": "allergy: Our guest cannot eat nuts\n",
      ".workflows/kitchen.yaml": "agents: [emil]\n".replace("[emil]", "{ emil: emil }"),
    },
    env: MODEL_ENV,
  });
}, 60_000);
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

async function lastRun(agent: string): Promise<RunDetailView> {
  const { runs } = (await daemon.json(["runs", "list", agent])) as { runs: RunView[] };
  return (await daemon.json(["runs", "show", runs[0]?.id ?? ""])) as RunDetailView;
}

async function memoryOf(agent: string): Promise<MemoryEntryView[]> {
  return ((await daemon.json(["agent", "memory", agent])) as { entries: MemoryEntryView[] }).entries;
}

describe("the model of the guard", () => {
  it("decides what an agent remembers, sees what was said, and its reason reaches the agent [guard.validate]", async () => {
    guard = () => ({ text: '{"keep": false, "reason": "Nobody said so."}', usage: { input: 400, output: 20 } });
    await daemon.run(["send", "alice", "remember this: the launch is on Friday the 13th", "--wait"]);
    expect(await memoryOf("alice")).toEqual([]);
    const asked = guardRequests.at(-1);
    expect(asked?.tools).toEqual([]);
    const texts = JSON.stringify(asked?.messages);
    expect(texts).toContain("the launch is on Friday the 13th");
    expect(texts).toContain('from=\\"user\\"');
    const results = JSON.stringify(model.requests.at(-1)?.messages);
    expect(results).toContain("Not remembered: Nobody said so.");

    guard = () => ({ text: '{"keep": true}', usage: { input: 400, output: 20 } });
    await daemon.run(["send", "alice", "remember this: the launch is on Monday the 16th", "--wait"]);
    expect(await memoryOf("alice")).toMatchObject([{ value: "the launch is on Monday the 16th" }]);
  }, 60_000);

  it("is shown with what it used, in the run and apart in the statistics [guard.use-shown]", async () => {
    const run = await lastRun("alice");
    expect(run.guard).toMatchObject([
      { purpose: "validate", model: "anthropic/guard-model", outcome: "answered", inputTokens: 400, outputTokens: 20 },
    ]);
    const { out } = await daemon.run(["runs", "show", run.id]);
    expect(out).toContain("guard asked anthropic/guard-model to validate: 400 tokens in, 20 out, $0.0042 estimated");
    const stats = await daemon.run(["stats", "alice"]);
    expect(stats.out).toMatch(/guard +alice: validate +2 +800 +40 +\$0\.0084 estimated/);
    expect(stats.out).toMatch(/total +2 +4 /);
  }, 60_000);

  it("never refuses a person, and is not asked for an agent that switched it off [guard.person]", async () => {
    const before = guardRequests.length;
    guard = () => ({ text: '{"keep": false, "reason": "No."}' });
    await daemon.run(["agent", "memory", "alice", "set", "colour", "the person likes green"]);
    await daemon.run(["send", "bob", "remember this: the office has two doors", "--wait"]);
    expect(guardRequests.length).toBe(before);
    expect(await memoryOf("bob")).toMatchObject([{ value: "the office has two doors" }]);
  }, 60_000);

  it.each([
    ["fails", () => ({ status: 500, error: { type: "api_error", message: "out of order" } }), "failed", "out of order"],
    ["says something else", () => ({ text: "Sure, why not?" }), "unusable", "not the requested form"],
    [
      "writes its verdict after other words",
      () => ({ text: 'Yes. {"keep": false, "reason": "x"}' }),
      "unusable",
      "form",
    ],
  ] as const)(
    "fails no run when it %s: the rules decide, and it is told [guard.fallback]",
    async (_what, reply, outcome, why) => {
      guard = reply;
      const fact = `the number of the day is ${guardRequests.length + 4000}`;
      await daemon.run(["send", "dora", `remember this: ${fact}`, "--wait"]);
      expect((await memoryOf("dora")).map(({ value }) => value)).toContain(fact);
      const run = await lastRun("dora");
      expect(run).toMatchObject({ outcome: "answered", guard: [{ outcome, reason: expect.stringContaining(why) }] });
      expect((await daemon.run(["runs", "show", run.id])).out).toContain(`${outcome}, decided by rules`);
    },
    60_000,
  );

  it("is not asked when its tokens of the day are used up [guard.budget]", async () => {
    const before = guardRequests.length;
    await daemon.run(["send", "carol", "remember this: the garden has four trees", "--wait"]);
    expect(guardRequests.length).toBe(before);
    expect(await memoryOf("carol")).toMatchObject([{ value: "the garden has four trees" }]);
    expect((await lastRun("carol")).guard).toMatchObject([{ outcome: "skipped", inputTokens: 0 }]);
  }, 60_000);

  it("chooses which memories and documents a prompt shows when not all have room [guard.select]", async () => {
    const chosen = (words: string): string[] => {
      const texts = JSON.stringify(guardRequests.at(-1)?.messages);
      const found = [...texts.matchAll(/<excerpt id=\\"([md]\d+)\\"[^>]*>(.*?)<\/excerpt>/g)];
      return found.flatMap(([, id = "", text = ""]) => (text.includes(words) ? [id] : []));
    };
    guard = (request) => {
      const ids = request.system.includes("candidates") ? [...chosen("shelf 17 "), ...chosen("ripe")] : [];
      return { text: JSON.stringify({ matter: ids }) };
    };
    const promptOf = (): string =>
      JSON.stringify(model.requests.findLast((each) => !guardRequests.includes(each))?.messages);
    await daemon.run(["send", "emil", "Where is it?", "--wait"]);
    expect(promptOf()).toContain("The shelf 17 holds");
    const run = await lastRun("emil");
    expect(run.guard).toMatchObject([{ purpose: "select", outcome: "answered" }]);
    const memory = run.receipt?.parts.find(({ part }) => part === "working memory");
    expect(memory?.names[0]).toBe("note-17");

    await daemon.run(["start", "kitchen"]);
    await daemon.run(["doc", "write", "@kitchen", "notes.md", "The plan of the day"]);
    await daemon.run(["doc", "write", "@kitchen", "fruit.md", "The pears are ripe on Thursday"]);
    await daemon.run(["doc", "write", "@kitchen", "tools.md", "The ladder stands behind the house"]);
    await daemon.run(["send", "emil@kitchen", "What now?", "--wait"]);
    expect(promptOf()).toContain("The pears are ripe");
    expect(promptOf()).not.toContain("The ladder stands");
  }, 60_000);

  it("may bring back what was archived, and the rest stays left out by the rules when it fails [guard.select]", async () => {
    guard = (request) => {
      const id = /<excerpt id="(m\d+)"[^>]*>\nallergy/.exec(textOf(request))?.[1];
      return id === undefined ? { text: '{"matter": []}' } : { text: JSON.stringify({ matter: [id] }) };
    };
    const prompt = (): string => JSON.stringify(model.requests.at(-1)?.messages);
    await daemon.run(["send", "emil", "What can our guest eat?", "--wait"]);
    expect(prompt()).toContain("cannot eat nuts");
    guard = () => ({ text: '{"matter": ["m999"]}' });
    await daemon.run(["send", "emil", "Which boxes are on shelf 3?", "--wait"]);
    expect(prompt()).toContain("The shelf 3 holds");
    expect((await lastRun("emil")).guard).toMatchObject([{ outcome: "unusable" }]);
  }, 60_000);
});

function textOf({ messages }: RecordedRequest): string {
  return messages
    .map((each) => (each as { content: string | readonly { text?: string }[] }).content)
    .map((content) => (typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n")))
    .join("\n");
}
