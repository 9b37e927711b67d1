import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startInstalled } from "../support/daemon/running-command.ts";
import { agentFile, TEAM, workflowFile } from "../support/team/team.ts";

const SLEEPER = {
  ...agentFile("sleeper", "model: sleep.yaml\n"),
  ...agentFile("gone", "model: gone.yaml\n"),
  ...agentFile("quiet", "model: quiet.yaml\n"),
  ...workflowFile(
    "tests",
    'agents: { bob: { ref: bob } }\nparams:\n  package: { required: true }\n  runs: { type: number, default: 3 }\n  note: {}\nkickoff: "@bob go"\n',
  ),
  "sleep.yaml": '- repeat: true\n  steps:\n    - delay: 1h\n    - say: ""\n',
  "gone.yaml": "- repeat: true\n  steps:\n    - fail: permanent\n      message: The line is dead.\n",
  "quiet.yaml": '- repeat: true\n  steps:\n    - say: ""\n',
};

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: { ...TEAM, ...SLEEPER } });
  const opened = await daemon.client.call("open-workspace", { workflow: "review" });
  if (!opened.ok) throw new Error(opened.error.message);
});
afterAll(async () => daemon[Symbol.asyncDispose]());

describe("agent-worker send", () => {
  it("[cli.send] prints the receipt, whichever way the target is given", async () => {
    const receipt = {
      id: expect.stringMatching(/^msg_/),
      seq: expect.any(Number),
      space: "sleeper",
      recipients: [{ agent: "sleeper", lane: "immediate" }],
      resource: null,
      duplicate: false,
      warnings: [],
    };
    expect(await daemon.json(["send", "sleeper", "first"])).toEqual(receipt);
    expect(await daemon.json(["send", "second", "--to", "sleeper"])).toEqual(receipt);
    expect(await daemon.run(["send", "--to", "sleeper", "--", "--third"])).toMatchObject({ exit: 0 });
    expect(await daemon.run(["send", "sleeper", "fourth", "--lane", "background"])).toEqual({
      exit: 0,
      out: expect.stringMatching(/^Sent: msg_\w+ to sleeper \(background\)\n$/),
      err: "",
    });
    const { messages } = (await daemon.json(["peek", "sleeper"])) as { messages: { content: string }[] };
    expect(messages.map(({ content }) => content)).toEqual(["first", "second", "--third", "fourth"]);
  });

  it("[cli.send] posts to a channel, where it may wake nobody", async () => {
    const { out } = await daemon.run(["send", "@review", "for the record"]);
    expect(out).toMatch(/^Sent: msg_\w+ in @review, wakes nobody\n$/);
    expect(await daemon.json(["send", "alice@review", "look"])).toMatchObject({
      space: "@review:main",
      recipients: [{ agent: "alice", lane: "normal" }],
    });
    const { out: warned } = await daemon.run(["send", "@review", "@alcie, are you there?"]);
    expect(warned).toMatch(/^Sent: .*\nNote: .*alcie/);
  });

  it("[cli.send-stdin] takes the message from standard input", async () => {
    await daemon.json(["send", "bob", "-"], { input: "\uFEFFzwei, äöü 😀\nlines" });
    const { messages } = (await daemon.json(["peek", "bob"])) as { messages: { content: string }[] };
    expect(messages[0]?.content).toBe("zwei, äöü 😀\nlines");
  });

  it("[cli.send] accepts an idempotency key once", async () => {
    const first = (await daemon.json(["send", "sleeper", "once", "--key", "k1"])) as { id: string };
    expect(await daemon.json(["send", "sleeper", "once", "--key", "k1"])).toMatchObject({
      id: first.id,
      duplicate: true,
    });
    expect((await daemon.run(["send", "sleeper", "once", "--key", "k1"])).out).toMatch(/^Accepted before: msg_/);
  });

  it("[cli.send-wait] follows until the reply and prints it", async () => {
    expect(await daemon.run(["send", "carol", "are you there?", "--wait"])).toEqual({
      exit: 0,
      out: expect.stringMatching(/^carol {2}.*are you there\?/),
      err: "",
    });
    expect(await daemon.json(["send", "carol", "and now?", "--wait"])).toMatchObject({
      space: "carol",
      replies: [{ from: "carol", cause: expect.stringMatching(/^msg_/) }],
      failed: [],
    });
    expect(await daemon.run(["send", "quiet", "say nothing", "-w"])).toEqual({
      exit: 0,
      out: "",
      err: "quiet had nothing to say.\n",
    });
    expect(await daemon.run(["send", "@review", "to nobody", "-w"])).toMatchObject({
      exit: 1,
      err: expect.stringContaining("Nobody in @review was addressed"),
    });
  });

  it("[cli.send-wait] fails when the message could not be answered, and says how to try again", async () => {
    expect(await daemon.run(["send", "gone", "hello?", "--wait"])).toEqual({
      exit: 1,
      out: "",
      err: expect.stringMatching(
        /^Error: 1 could not be answered:\n {2}dlv_\w+ for gone: The line is dead\.\nTry again with: agent-worker dead retry dlv_\w+\n$/,
      ),
    });
  });

  it("[cli.errors] says what is wrong with the target, and what to do", async () => {
    expect(await daemon.run(["send", "alcie", "x"])).toEqual({
      exit: 3,
      out: "",
      err: expect.stringMatching(
        /^Error: There is no agent called "alcie"\.\nDid you mean "alice"\? .*agent-worker agent create alcie\n$/,
      ),
    });
    expect(await daemon.run(["send", "alice@ship", "x"])).toEqual({
      exit: 3,
      out: "",
      err: 'Error: workflow "ship" is not running.\nKnown workflows: review, tests. Running: @review.\n',
    });
    expect(await daemon.run(["send", "sleeper@review", "x"])).toEqual({
      exit: 3,
      out: "",
      err: 'Error: sleeper is not a participant in workflow "review".\nAdd sleeper to .workflows/review.yaml first.\n',
    });
    expect(await daemon.run(["send", "a b", "x"])).toMatchObject({ exit: 2 });
    expect(await daemon.run(["send", "alice", ""])).toMatchObject({ exit: 2 });
    expect(await daemon.run(["send", "alice", "two", "words"])).toMatchObject({
      exit: 2,
      err: expect.stringContaining("Quote a text of several words."),
    });
    expect(await daemon.run(["send", "alice", "hi", "--to", "bob"])).toMatchObject({ exit: 2 });
    expect(await daemon.run(["send"])).toMatchObject({ exit: 2, err: expect.stringContaining("MESSAGE is missing.") });
    expect(await daemon.run(["send", "alice", "x", "--lane", "imediate"])).toMatchObject({
      exit: 2,
      err: expect.stringContaining("Did you mean immediate?"),
    });
  });

  it("[cli.send-default] goes to the only agent there is", async () => {
    for (const [path, text] of Object.entries(agentFile("solo"))) daemon.write(`alone/${path}`, text);
    expect(await daemon.json(["send", "hello there", "--project", "alone"])).toMatchObject({ space: "solo" });
    daemon.write("empty/moniro.yaml", "defaults: {}\n");
    expect(await daemon.run(["send", "hello there", "--project", "empty"])).toMatchObject({
      exit: 2,
      err: "Error: There is no agent to send to.\nMake one with: agent-worker --project empty agent create NAME\n",
    });
    expect(await daemon.run(["peek", "--project", "empty"])).toMatchObject({
      exit: 2,
      err: expect.stringContaining("There is nothing to look at yet."),
    });
    expect(await daemon.run(["ls", "--project", "empty"])).toMatchObject({
      exit: 0,
      out: "There are no agents here yet. Make a team with: agent-worker --project empty init\n",
    });
  });

  it("[cli.send-default] names the agents when there are several, and never takes a target for a message", async () => {
    expect(await daemon.run(["send", "hello there"])).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/^Error: There are several agents: say which one\.\nName one of alice, bob, /),
    });
    expect(await daemon.run(["send", "alice"])).toMatchObject({ exit: 2, err: expect.stringContaining("MESSAGE is") });
  });
});

describe("agent-worker peek and inbox", () => {
  it("[cli.peek] shows messages with limit, since, before and search, and takes nothing as read", async () => {
    for (const text of ["one apple", "two pears", "three apples"]) await daemon.json(["send", "@review", text]);
    const read = async (...args: string[]) =>
      ((await daemon.json(["peek", "@review", ...args])) as { messages: { seq: number; content: string }[] }).messages;
    const last = await read("-n", "3");
    expect(last.map(({ content }) => content)).toEqual(["one apple", "two pears", "three apples"]);
    expect((await read("--since", String(last[0]?.seq))).map(({ content }) => content)).toEqual([
      "two pears",
      "three apples",
    ]);
    const before = await read("--before", String(last[2]?.seq), "-n", "2");
    expect(before.map(({ content }) => content)).toEqual(["one apple", "two pears"]);
    expect((await read("--find", "APPLE")).map(({ content }) => content)).toEqual(["one apple", "three apples"]);
    const { out } = await daemon.run(["peek", "@review", "-n", "1"]);
    expect(out).toMatch(/^ *#\d+ {2}\d\d:\d\d {2}user +three apples\n$/);
  });

  it("[cli.peek] inbox shows what waits, in order of urgency", async () => {
    const { deliveries } = (await daemon.json(["inbox", "sleeper", "-n", "100"])) as {
      deliveries: { lane: string; state: string; agent: string; message: { content: string } }[];
    };
    expect(deliveries.map(({ lane }) => lane)).toEqual(
      deliveries.map(({ lane }) => lane).toSorted((a, b) => LANES.indexOf(a) - LANES.indexOf(b)),
    );
    expect(deliveries.map(({ message }) => message.content)).toContain("fourth");
    const { out } = await daemon.run(["inbox", "sleeper"]);
    expect(out).toMatch(/^LANE +STATE +WHERE +FROM +MESSAGE\n/);
    expect(out).toMatch(/^background +pending +sleeper +user +fourth$/m);
    expect((await daemon.run(["inbox", "bob@review"])).out).toBe("Nothing waits for bob@review.\n");
  });

  it("[cli.peek] says so when there is nothing, and names what there is when it is not told where", async () => {
    expect(await daemon.run(["peek", "alice"])).toEqual({ exit: 0, out: "", err: "Nothing was said in alice yet.\n" });
    expect(await daemon.run(["peek", "@review", "--before", "1"])).toEqual({
      exit: 0,
      out: "",
      err: "Nothing like that was said in @review.\n",
    });
    expect((await daemon.run(["peek", "-n", "1"])).out).toContain("three apples");
  });

  it("[cli.peek] follows what comes, until Ctrl-C", async () => {
    await using following = startInstalled(["peek", "bob", "--follow", "--json", "-n", "1"], {
      cwd: daemon.project,
      env: daemon.env,
    });
    await following.line(/./);
    await daemon.json(["send", "bob", "now follow this"]);
    const line = await following.line(/now follow this/);
    expect(JSON.parse(line)).toMatchObject({ from: "user", content: "now follow this" });
    expect(await following.interrupt()).toMatchObject({ exit: 130, err: "" });
  });

  it.each([
    { args: ["peek", "@nowhere"], exit: 3, says: "is not running" },
    { args: ["peek", "@review", "-n", "many"], exit: 2, says: '--limit takes a whole number, not "many".' },
    { args: ["peek", "@review", "--limit", "0"], exit: 2, says: "limit" },
    {
      args: ["peek", "@review", "--before", "9", "--follow"],
      exit: 2,
      says: "--before looks back and --follow ahead.",
    },
    { args: ["peek", "@review", "extra"], exit: 2, says: "too many" },
    { args: ["inbox"], exit: 2, says: "TARGET is missing." },
    { args: ["inbox", "@review"], exit: 2, says: "an inbox belongs to an agent" },
    { args: ["inbox", "alice", "--limt", "3"], exit: 2, says: "Did you mean --limit?" },
  ])("[cli.errors] refuses $args", async ({ args, exit, says }) => {
    expect(await daemon.run(args)).toEqual({ exit, out: "", err: expect.stringContaining(says) });
  });
});

const LANES = ["immediate", "normal", "background"];

describe("agent-worker ls", () => {
  it("[cli.ls] shows name, source, state, what waits and the model", async () => {
    const { out, err } = await daemon.run(["ls"]);
    expect(err).toBe("");
    expect(out).toMatch(/^Agents\nNAME +SOURCE +STATE +INBOX +MODEL +WORKSPACES +WORKS ON\n/);
    expect(out).toMatch(/^alice +file +idle +0\/0\/0 +\(mock\) +@review$/m);
    expect(out).toMatch(/^sleeper +file +\w+ +\d+\/0\/1 +sleep\.yaml \(mock\)/m);
    expect(out).toMatch(/^@review +open +alice bob carol helper$/m);
    expect((await daemon.run(["list"])).out).toBe(out);
    expect(await daemon.json(["ls"])).toMatchObject({
      agents: expect.arrayContaining([
        {
          name: "alice",
          source: "file",
          model: null,
          backend: "mock",
          state: "idle",
          until: null,
          work: null,
          node: null,
          workspaces: ["@review:main"],
          rests: false,
          open: { immediate: 0, normal: 0, background: 0 },
        },
      ]),
      workspaces: [{ space: "@review:main", state: "open" }],
      problems: [],
    });
  });

  it("[cli.ls] shows the workflows that can be started, with what they take", async () => {
    const { out } = await daemon.run(["ls"]);
    expect(out).toMatch(/^WORKFLOW +AGENTS +TAKES\n/m);
    expect(out).toMatch(/^tests +bob +-- --package \[--runs 3\] \[--note\]$/m);
    expect(out).toMatch(/^review +alice bob carol helper$/m);
    const { workflows } = (await daemon.json(["ls"])) as { workflows: unknown[] };
    expect(workflows).toMatchObject([
      { name: "review", params: [], kickoff: false },
      { name: "tests", agents: ["bob"], kickoff: true },
    ]);
  });

  it("[cli.ls] shows one agent, or who takes part in a workspace", async () => {
    expect(await daemon.json(["ls", "alice"])).toEqual({ agents: [expect.objectContaining({ name: "alice" })] });
    const members = (await daemon.json(["ls", "@review"])) as { members: { agent: string; role: string | null }[] };
    expect(members).toMatchObject({ space: "@review:main" });
    expect(members.members.map(({ agent }) => agent)).toEqual(["alice", "bob", "carol", "helper"]);
    expect((await daemon.run(["ls", "@review"])).out).toMatch(/^alice +project +reviewer +idle +0$/m);
    expect(await daemon.json(["ls", "bob@review"])).toMatchObject({ members: [{ agent: "bob" }] });
  });

  it("tells of broken files beside what is sound", async () => {
    daemon.write(".agents/dora.yaml", "name: [dora\n");
    try {
      const { exit, out, err } = await daemon.run(["ls"]);
      expect(exit).toBe(0);
      expect(out).toMatch(/^alice /m);
      expect(err).toMatch(/^\.agents\/dora\.yaml:\d+: /m);
    } finally {
      daemon.write(".agents/dora.yaml", "name: dora\nbackend: mock\nprompt: { system: x }\n");
    }
  });

  it.each([
    { args: ["ls", "nobody"], exit: 3, says: 'There is no agent called "nobody"' },
    { args: ["ls", "@nowhere"], exit: 3, says: "nowhere" },
    { args: ["ls", "a", "b"], exit: 2, says: "too many" },
  ])("[cli.errors] refuses $args", async ({ args, exit, says }) => {
    expect(await daemon.run(args)).toEqual({ exit, out: "", err: expect.stringContaining(says) });
  });
});
