import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import type { FakeReply, RecordedRequest } from "../../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { value } from "../../support/result.ts";

let model: FakeModelServer;
let daemon: CommandedDaemon;

/** The model adds the last word it was told to the notes, and then says it. */
function reply({ messages }: RecordedRequest): FakeReply {
  const word = [...JSON.stringify(messages).matchAll(/the word is (\w+)/g)].at(-1)?.[1] ?? "none";
  const added = JSON.stringify(messages.at(-1)).includes("tool_result");
  return added
    ? { text: `noted ${word}` }
    : { toolCalls: [{ name: "team_doc_append", args: { content: `- ${word}\n` } }] };
}

const workflow = (workspace: string, kickoff = "@nora the word is"): string =>
  [
    "agents:",
    "  nora:",
    "    model: fake-model",
    `    provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`,
    "    prompt: { system: Note it. }",
    workspace,
    "params: { n: { type: string } }",
    `kickoff: "${kickoff} \${{ params.n }}"`,
    "",
  ].join("\n");

beforeAll(async () => {
  model = await startFakeModelServer(reply);
  daemon = await startCommandedDaemon({
    env: { FAKE_KEY: "no-key" },
    files: {
      ".workflows/tw.yaml": workflow(""),
      ".workflows/bound.yaml": workflow("workspace: { bind: ./data/bound }"),
      ".workflows/dired.yaml": workflow("workspace: { dir: ./data/dired }"),
      ".workflows/light.yaml": workflow("workspace: { provider: memory }"),
      ".workflows/filed.yaml": workflow("workspace: { channel: { file: talk.md } }"),
      ".workflows/told.yaml": workflow("", "@nora see ${{ context.channel }}, the word is"),
    },
  });
});

afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** Runs a workflow with a word and returns the prompts that the model got for it. */
async function runWith(name: string, word: string, more: { readonly continue?: boolean } = {}): Promise<string> {
  const before = model.requests.length;
  const request = { workflow: name, params: { n: word }, ...more };
  value(await daemon.client.serve(request, new AbortController().signal));
  return JSON.stringify(model.requests.slice(before).map(({ body }) => body));
}

async function said(target: string, earlier?: number): Promise<string[]> {
  const { messages } = value(await daemon.client.call("peek-channel", { target, earlier }));
  return messages.map(({ content }) => content);
}

async function notes(target: string, earlier?: number): Promise<string> {
  return value(await daemon.client.call("read-document", { target, file: "notes.md", earlier })).content;
}

const APPLE = ["@nora the word is apple", "noted apple"];
const BERRY = ["@nora the word is berry", "noted berry"];

describe("a workspace without a folder of its own", () => {
  it("begins with an empty channel, no documents and a fresh conversation at each run [instances.empty]", async () => {
    expect(await daemon.run(["run", "tw", "--", "n=apple"])).toMatchObject({ exit: 0 });
    const prompts = await runWith("tw", "berry");
    expect(prompts).toContain("berry");
    expect(prompts).not.toContain("apple");
    expect(await said("@tw")).toEqual(BERRY);
    expect(await notes("@tw")).toBe("- berry\n");
  });

  it("shows earlier instances with --earlier: channel, documents, export [instances.earlier]", async () => {
    const [peek, list, read, exported, none, listed] = await Promise.all([
      daemon.run(["peek", "@tw", "--earlier", "1"]),
      daemon.run(["doc", "list", "@tw", "--earlier", "1"]),
      daemon.run(["doc", "read", "@tw", "--earlier", "1"]),
      daemon.run(["export", "@tw", "--earlier", "1"]),
      daemon.run(["peek", "@tw", "--earlier", "2"]),
      daemon.run(["ls", "--all"]),
    ]);
    expect(peek.out).toMatch(/apple/);
    expect(peek.out).not.toMatch(/berry/);
    expect(list.out).toContain("notes.md");
    expect(read.out).toBe("- apple\n");
    expect(exported.out).toContain("noted apple");
    expect(none).toMatchObject({ exit: 3, err: expect.stringContaining("The oldest is one start ago.") });
    expect(listed.out.match(/@tw/g)).toHaveLength(1);
  });

  it("goes on in the last one with --continue [instances.continue]", async () => {
    const before = model.requests.length;
    expect(await daemon.run(["run", "tw", "--continue", "--", "n=cherry"])).toMatchObject({ exit: 0 });
    expect(JSON.stringify(model.requests[before]?.body)).toContain("noted berry");
    expect(await said("@tw")).toEqual([...BERRY, "@nora the word is cherry", "noted cherry"]);
    expect(await notes("@tw")).toBe("- berry\n- cherry\n");
    expect(await said("@tw", 1)).toEqual(APPLE);
  });

  it("is the same in memory [instances.memory]", async () => {
    await runWith("light", "apple");
    expect(await runWith("light", "berry")).not.toContain("apple");
    expect(await said("@light")).toEqual(BERRY);
    expect(await notes("@light")).toBe("- berry\n");
    expect(await said("@light", 1)).toEqual(APPLE);
    expect(await notes("@light", 1)).toBe("- apple\n");
  });

  it("takes nothing that is sent to an earlier instance [instances.read-only]", async () => {
    const [sent, written] = await Promise.all([
      daemon.run(["send", "@tw~1", "@nora the word is late"]),
      daemon.run(["doc", "write", "@tw~1", "notes.md", "x"]),
    ]);
    expect(sent).toMatchObject({ exit: 3, err: expect.stringContaining('"tw~1" is an earlier instance') });
    expect(written.exit).toBe(3);
  });
});

describe("a workspace with a folder of its own", () => {
  it.each(["bound", "dired"])("goes on with what is there [instances.bound]: %s", async (name) => {
    await runWith(name, "apple");
    expect(await runWith(name, "berry")).toContain("noted apple");
    expect(await said(`@${name}`)).toEqual([...APPLE, ...BERRY]);
    expect(readFileSync(join(daemon.project, `data/${name}/documents/notes.md`), "utf8")).toBe("- apple\n- berry\n");
  });
});

it("new --context makes an agent with a channel and documents, which a plain send reaches [context.new]", async () => {
  const engine = ["-b", "mock"];
  expect(await daemon.run(["new", "odd", ...engine, "--instance", "pr-1"])).toMatchObject({ exit: 2 });
  const made = await daemon.run(["new", "helper", ...engine, "--context", "--instance", "pr-1"]);
  expect(made.out).toContain("Made helper, with a channel and documents in @helper:pr-1.");
  const sent = (await daemon.json(["send", "Check the notes in the document"])) as { space: string };
  expect(sent.space).toBe("@helper:pr-1");
  const tools = value(await daemon.client.call("list-tools", { agent: "helper@helper:pr-1" })).tools;
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["channel_send", "team_doc_read"]));
  expect(await daemon.run(["stop", "@helper:pr-1"])).toMatchObject({ exit: 0 });
});

describe("the file of a channel", () => {
  it("is written wherever messages are stored when the workflow names it [context.channel-file]", async () => {
    await runWith("filed", "apple");
    await runWith("filed", "berry");
    const channel = (folder: string): string =>
      readFileSync(join(daemon.project, `.workspace/filed/${folder}/talk.md`), "utf8");
    await expect.poll(() => channel("main~2")).toContain("noted berry");
    expect(channel("main~2")).not.toContain("apple");
    await expect.poll(() => channel("main")).toContain("noted apple");
  });

  it("is where ${{ context.channel }} says [context.channel-place]", async () => {
    await runWith("told", "apple");
    const [kickoff = ""] = await said("@told");
    expect(kickoff).toContain(".workspace/told/main/channel.md");
    await expect.poll(() => existsSync(join(daemon.project, ".workspace/told/main/channel.md"))).toBe(true);
  });

  it("is refused by check when there can be none [context.refused]", async () => {
    daemon.write(
      ".workflows/wrong.yaml",
      workflow("workspace: { provider: memory, bind: ./x }", "${{ context.document }}"),
    );
    const { out, err, exit } = await daemon.run(["check"]);
    expect(exit).toBe(2);
    expect(`${out}${err}`).toContain("keeps nothing in a folder");
    expect(`${out}${err}`).toContain("would name no file");
  });
});
