import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import type { RecordedRequest } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";

/** The agent writes what it was asked into the notes and opens a todo of its team: a suggestion, a ballot, a rule. */
const WORD = /the word is (\w+)/g;

let model: FakeModelServer;
let daemon: CommandedDaemon;

/** One model call that uses tools, then one that answers with the last word it was given. */
function reply({ body }: RecordedRequest) {
  const text = JSON.stringify(body);
  const word = [...text.matchAll(WORD)].at(-1)?.[1] ?? "none";
  const called = text.includes("Added to notes.md") || text.includes("tool_result");
  if (called) return { text: `noted ${word}` };
  return { toolCalls: [{ name: "team_doc_append", args: { content: `- ${word}\n` } }] };
}

const agentsOf = (url: string): string =>
  [
    "agents:",
    "  nora:",
    "    model: fake-model",
    `    provider: { name: anthropic, base_url: "${url}/v1", api_key: $FAKE_KEY }`,
    "    prompt: { system: Note it. }",
  ].join("\n");

const workflow = (url: string, workspace: string): string =>
  `${agentsOf(url)}\n${workspace}\nparams: { n: { type: string } }\nkickoff: "@nora the word is \${{ params.n }}"\n`;

beforeAll(async () => {
  model = await startFakeModelServer(reply);
  daemon = await startCommandedDaemon({
    env: { FAKE_KEY: "no-key" },
    files: {
      ".workflows/tw.yaml": workflow(model.url, ""),
      ".workflows/bound.yaml": workflow(model.url, "workspace: { bind: ./data/bound }"),
      ".workflows/dired.yaml": workflow(model.url, "workspace: { dir: ./data/dired }"),
      ".workflows/light.yaml": workflow(model.url, "workspace: { provider: memory }"),
      ".workflows/filed.yaml": workflow(model.url, "workspace: { channel: { file: talk.md } }"),
      ".workflows/told.yaml": workflow(model.url, "").replace("the word", "${{ context.channel }}: the word"),
    },
  });
});

afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** Runs a workflow with a word and returns the prompts that the model got for it. */
async function runWith(name: string, word: string, ...options: string[]): Promise<string> {
  const before = model.requests.length;
  const answer = await daemon.run(["run", name, ...options, "--", `n=${word}`]);
  expect(answer, answer.err).toMatchObject({ exit: 0 });
  return JSON.stringify(model.requests.slice(before).map(({ body }) => body));
}

const said = async (...args: string[]): Promise<string[]> =>
  ((await daemon.json(["peek", ...args])) as { messages: { content: string }[] }).messages.map(({ content }) => content);

const notes = async (...args: string[]): Promise<string> =>
  ((await daemon.json(["doc", "read", ...args])) as { content: string }).content;

describe("a workspace without a folder of its own", () => {
  it("begins with an empty channel, empty documents and a fresh conversation at each run [instances.empty]", async () => {
    await runWith("tw", "apple");
    const prompts = await runWith("tw", "berry");
    expect(prompts).toContain("berry");
    expect(prompts).not.toContain("apple");
    expect(await said("@tw")).toEqual(["@nora the word is berry", "noted berry"]);
    expect(await notes("@tw")).toBe("- berry\n");
  });

  it("shows earlier instances with --earlier: channel, documents, export [instances.earlier]", async () => {
    expect(await said("@tw", "--earlier", "1")).toEqual(["@nora the word is apple", "noted apple"]);
    expect(await notes("@tw", "--earlier", "1")).toBe("- apple\n");
    expect((await daemon.run(["doc", "list", "@tw", "--earlier", "1"])).out).toContain("notes.md");
    expect((await daemon.run(["export", "@tw", "--earlier", "1"])).out).toContain("noted apple");
    expect(await daemon.run(["peek", "@tw", "--earlier", "2"])).toMatchObject({
      exit: 3,
      err: expect.stringContaining("The oldest is 1 starts ago."),
    });
    expect((await daemon.json(["ls", "--all"])) as object).toMatchObject({
      workspaces: expect.not.arrayContaining([expect.objectContaining({ space: "@tw:main~1" })]),
    });
  });

  it("goes on in the last one with --continue [instances.continue]", async () => {
    const prompts = await runWith("tw", "cherry", "--continue");
    expect(prompts).toContain("noted berry");
    expect(await said("@tw")).toEqual([
      "@nora the word is berry",
      "noted berry",
      "@nora the word is cherry",
      "noted cherry",
    ]);
    expect(await notes("@tw")).toBe("- berry\n- cherry\n");
    expect(await said("@tw", "--earlier", "1")).toEqual(["@nora the word is apple", "noted apple"]);
  });

  it("is the same in memory [instances.memory]", async () => {
    await runWith("light", "apple");
    expect(await runWith("light", "berry")).not.toContain("apple");
    expect(await said("@light")).toEqual(["@nora the word is berry", "noted berry"]);
    expect(await notes("@light")).toBe("- berry\n");
    expect(await said("@light", "--earlier", "1")).toEqual(["@nora the word is apple", "noted apple"]);
    expect(await notes("@light", "--earlier", "1")).toBe("- apple\n");
  });

  it("takes nothing that is sent to an earlier instance [instances.read-only]", async () => {
    const sent = await daemon.run(["send", "@tw~1", "@nora the word is late"]);
    expect(sent).toMatchObject({ exit: 3, err: expect.stringContaining('"tw~1" is an earlier instance') });
    expect((await daemon.run(["doc", "write", "@tw~1", "notes.md", "x"])).exit).toBe(3);
  });
});

describe("a workspace with a folder of its own", () => {
  it.each(["bound", "dired"])("goes on with what is there [instances.bound]: %s", async (name) => {
    await runWith(name, "apple");
    expect(await runWith(name, "berry")).toContain("noted apple");
    expect(await said(`@${name}`)).toHaveLength(4);
    expect(await notes(`@${name}`)).toBe("- apple\n- berry\n");
    expect(readFileSync(join(daemon.project, `data/${name}/documents/notes.md`), "utf8")).toBe("- apple\n- berry\n");
  });
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
    const [, path = ""] = /(\S+): the word/.exec(kickoff) ?? [];
    expect(path).toBe(".workspace/told/main/channel.md");
    await expect.poll(() => existsSync(join(daemon.project, path))).toBe(true);
  });

  it("is refused by check when there can be none [context.refused]", async () => {
    daemon.write(
      "wrong.yaml",
      workflow(model.url, "workspace: { provider: memory, bind: ./x }").replace("the word", "${{ context.document }}"),
    );
    const { out, exit } = await daemon.run(["check", "wrong.yaml"]);
    expect(exit).toBe(2);
    expect(out).toContain("keeps nothing in a folder");
    expect(out).toContain("would name no file");
  });
});
