import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startInstalled, type RunningCommand } from "../support/daemon/running-command.ts";
import { agentFile, workflowFile } from "../support/team/team.ts";

const GREET = [
  "name: greet",
  "agents:",
  "  ann: { backend: mock, prompt: { system: Answer. } }",
  "params: { who: { type: string, required: true }, loud: { type: boolean, default: false } }",
  'kickoff: "Greet ${{ params.who }}, loud: ${{ params.loud }}."',
  "",
].join("\n");

const FILES = {
  ...agentFile("ann"),
  ...agentFile("bob", "model: gone.yaml\n"),
  ...agentFile("bea", "model: gone.yaml\n"),
  ...agentFile("tess", "model: tools.yaml\n"),
  ...agentFile("sleeper", "model: sleep.yaml\n"),
  "gone.yaml": "- repeat: true\n  steps:\n    - fail: permanent\n      message: The line is dead.\n",
  "sleep.yaml": '- repeat: true\n  steps:\n    - delay: 1h\n    - say: ""\n',
  "tools.yaml": "- repeat: true\n  steps:\n    - call: { tool: team_members, args: {} }\n    - say: All here, @ann.\n",
  ...workflowFile("desk", 'agents:\n  ann: { ref: ann }\n  tess: { ref: tess }\nkickoff: "@tess hello"\n'),
  ...workflowFile("nap", 'agents:\n  sleeper: { ref: sleeper }\nkickoff: "@sleeper rest"\n'),
};

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: FILES });
  writeFileSync(join(daemon.project, "../greet.yaml"), GREET);
});
afterAll(async () => daemon[Symbol.asyncDispose]());

const start = (...args: string[]): RunningCommand => startInstalled(args, { cwd: daemon.project, env: daemon.env });
const events = (out: string): { type: string; [field: string]: unknown }[] =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });

describe("agent-worker run", () => {
  it("[cli.run] shows what is said and done until nothing is left, and ends with the outcome", async () => {
    const { exit, out, err } = await daemon.run(["run", "desk"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toMatch(/^user +@tess hello\ntess +team_members \{\}\ntess +All here, @ann\.\nann +I have read/);
    const { workspaces } = (await daemon.json(["ls"])) as { workspaces: unknown[] };
    expect(workspaces).toEqual([]);
  });

  it("[cli.run] [cli.tag] [cli.json] tells programs one event a line, the last with the whole outcome", async () => {
    const { exit, out, err } = await daemon.run(["run", "desk", "--tag", "t1", "--json"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    const told = events(out);
    expect(told.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["started", "message", "tool_call", "tool_result", "done"]),
    );
    expect(told.at(-1)).toMatchObject({
      type: "done",
      success: true,
      space: "@desk:t1",
      participants: ["ann", "tess"],
      failed: [],
      toolCalls: [{ agent: "tess", tool: "team_members" }],
    });
    const other = await daemon.run(["run", "desk", "--instance", "t2", "--json"]);
    expect(events(other.out).at(-1)).toMatchObject({ space: "@desk:t2" });
    expect(await daemon.run(["run", "desk", "--tag", "a", "--instance", "b"])).toMatchObject({ exit: 2 });
  });

  it("[cli.verbose] shows steps and what tools answer when it is asked to", async () => {
    const { out } = await daemon.run(["run", "desk", "--verbose"]);
    expect(out).toMatch(/^tess +step \d/m);
    expect(out).toMatch(/^tess +team_members: /m);
    expect((await daemon.run(["run", "desk"])).out).not.toMatch(/^tess +step/m);
  });

  it("[param.from-cli] takes a file anywhere, parameters after --, and a message from standard input", async () => {
    const greet = (args: readonly string[], input = "") => daemon.run(["run", "../greet.yaml", ...args], { input });
    const { exit, out } = await greet(["-", "--", "--who", "everyone", "--loud"], "@ann please");
    expect(exit).toBe(0);
    expect(out).toContain("user      Greet everyone, loud: true.");
    expect(out).toMatch(/^ +@ann please$/m);
    expect(out).toMatch(/^ann +I have read/m);
    expect(await greet(["--", "whom=x"])).toMatchObject({ exit: 2, out: "", err: expect.stringContaining("who") });
    writeFileSync(join(daemon.project, "../broken.yaml"), "name: greet\nagnets: {}\n");
    expect(await daemon.run(["run", "../broken.yaml"])).toMatchObject({
      exit: 2,
      out: "",
      err: expect.stringMatching(/broken\.yaml:2:1: Unknown key "agnets"\.\n(.*\n)*.*Did you mean "agents"\?/),
    });
  });

  it("[workflow.by-name] [workflow.run-dead] asks an agent by its name, and names what could not be answered", async () => {
    expect((await daemon.run(["run", "ann", "how are you?"])).out).toMatch(/^user +how are you\?\nann +\S/);
    expect((await daemon.run(["run", "desk.yaml"])).exit).toBe(0);
    expect(await daemon.run(["run", "bob", "hello?"])).toEqual({
      exit: 1,
      out: expect.stringMatching(/^user +hello\?\n/),
      err: expect.stringMatching(
        /^Error: 1 could not be answered:\n {2}dlv_\w+ for bob: The line is dead\.\nTry again with: agent-worker dead retry dlv_\w+\n$/,
      ),
    });
    expect(await daemon.run(["run", "ann"])).toMatchObject({
      exit: 2,
      err: expect.stringContaining("ann is an agent: say what it is asked."),
    });
    expect(await daemon.run(["run", "dask", "x"])).toMatchObject({
      exit: 3,
      out: "",
      err: expect.stringMatching(/no workflow called "dask".*\n.*Did you mean "desk"\?/),
    });
    expect(await daemon.run(["run"])).toMatchObject({ exit: 2, err: expect.stringContaining("is missing") });
    expect(await daemon.run(["run", "desk", "two", "words"])).toMatchObject({ exit: 2 });
  });

  it("[cli.run] [cli.exit-codes] is left by Ctrl-C, and the work goes on", async () => {
    await using running = start("run", "nap");
    await running.line(/@sleeper rest/);
    expect(await running.interrupt()).toMatchObject({
      exit: 130,
      err: "\nNo longer watching; the work goes on. Follow it with: agent-worker peek @nap --follow\n",
    });
    expect(await daemon.json(["ls"])).toMatchObject({ workspaces: [{ space: "@nap:main", state: "open" }] });
    expect(await daemon.json(["stop", "@nap"])).toMatchObject({ space: "@nap:main", state: "closed" });
  });
});

describe("agent-worker serve", () => {
  it("[cli.serve] prints nothing but the last answer", async () => {
    expect(await daemon.run(["serve", "tess", "are all here?"])).toEqual({
      exit: 0,
      out: "All here, @ann.\n",
      err: "",
    });
    expect(await daemon.json(["serve", "desk"])).toMatchObject({
      type: "done",
      success: true,
      content: expect.stringMatching(/^I have read/),
    });
    expect(await daemon.run(["serve", "bea", "hello?"])).toMatchObject({ exit: 1, out: "" });
    expect(await daemon.run(["serve", "nobody", "hello?"])).toMatchObject({ exit: 3, out: "" });
    expect(await daemon.run(["serve", "ann"])).toMatchObject({ exit: 2 });
  });
});

describe("agent-worker start and stop", () => {
  it("[cli.start] [cli.stop] comes back at once; the workspace is at work until it is stopped", async () => {
    expect(await daemon.run(["start", "desk", "--tag", "s1", "--background"])).toEqual({
      exit: 0,
      out: "Started @desk:s1 with ann, tess. Follow it with: agent-worker peek @desk:s1 --follow\n",
      err: "",
    });
    expect(await daemon.run(["send", "@desk:s1", "@ann still there?", "--wait"])).toMatchObject({
      exit: 0,
      out: expect.stringContaining("still there?"),
    });
    expect(await daemon.run(["start", "desk", "--tag", "s1"])).toMatchObject({ exit: 3, out: "" });
    expect(await daemon.run(["stop", "@desk:s1", "--reason", "enough"])).toEqual({
      exit: 0,
      out: "Stopped @desk:s1. Begin anew with: agent-worker start desk --tag s1, or go on with --continue.\n",
      err: "",
    });
    expect((await daemon.run(["peek", "@desk:s1", "-n", "1"])).out).toContain("enough");
    expect(await daemon.run(["stop", "@desk:s1"])).toMatchObject({ exit: 3 });
    expect(await daemon.json(["start", "desk.yaml", "--tag", "s2"])).toEqual({
      space: "@desk:s2",
      participants: ["ann", "tess"],
      outcome: null,
      warnings: [],
    });
    await daemon.json(["stop", "@desk:s2"]);
  });

  it("[cli.start] stays with it when it is told to, until Ctrl-C", async () => {
    await using running = start("start", "desk", "--tag", "f1", "--foreground");
    await running.line(/@tess hello/);
    await running.line(/^ann +I have read/);
    await daemon.json(["send", "@desk:f1", "a word from outside"]);
    await running.line(/^user +a word from outside/);
    expect(await running.interrupt()).toMatchObject({
      exit: 130,
      err: "\nNo longer watching; @desk:f1 stays at work. Stop it with: agent-worker stop @desk:f1\n",
    });
    expect(await daemon.json(["stop", "@desk:f1"])).toMatchObject({ state: "closed" });
  });

  it("[cli.stop] stops what an agent is doing", async () => {
    await daemon.json(["send", "sleeper", "sleep well"]);
    expect(await daemon.json(["stop", "sleeper"])).toEqual({ agent: "sleeper", state: "stopped" });
    await daemon.json(["start", "nap", "--tag", "n1"]);
    expect(await daemon.run(["stop", "sleeper@nap:n1"])).toEqual({
      exit: 0,
      out: "Stopped sleeper@nap:n1. 1 message still waits for it: with the next one it goes on with it, too.\nDrop it with: agent-worker inbox sleeper@nap:n1 --drop\n",
      err: "",
    });
    await daemon.json(["stop", "@nap:n1"]);
  });

  it.each([
    { args: ["start"], exit: 2, says: "WORKFLOW|FILE is missing." },
    { args: ["start", "nothing"], exit: 3, says: 'There is no workflow called "nothing".' },
    { args: ["start", "desk", "--foreground", "--background"], exit: 2, says: "exclude each other" },
    { args: ["start", "desk", "--tag", "a/b"], exit: 2, says: "tag" },
    { args: ["stop"], exit: 2, says: "TARGET is missing." },
    { args: ["stop", "nobody"], exit: 3, says: 'no agent called "nobody"' },
    { args: ["stop", "@nowhere"], exit: 3, says: "nowhere" },
    { args: ["stop", "ann", "--all"], exit: 2, says: "--all takes no target." },
    { args: ["stop", "ann", "--reason", "x"], exit: 2, says: "--reason is for workspaces" },
  ])("[cli.errors] refuses $args", async ({ args, exit, says }) => {
    expect(await daemon.run(args)).toEqual({ exit, out: "", err: expect.stringContaining(says) });
  });
});
