import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { startInstalled, type RunningCommand } from "../../support/daemon/running-command.ts";
import { agentFile, workflowFile } from "../../support/team/team.ts";

/** Calls a tool for ever: only a limit ends it. */
const BUSY =
  "- repeat: true\n  steps:\n    - call: { tool: todo_list, args: {} }\n    - call: { tool: todo_list, args: {} }\n";
const FILES = {
  ...agentFile("ann"),
  ...agentFile("busy", "model: busy.yaml\nmax_steps: 2\n"),
  "busy.yaml": `${BUSY}    - call: { tool: todo_list, args: {} }\n    - say: finished\n`,
  ...agentFile("quiet", "model: quiet.yaml\n"),
  "quiet.yaml": "- repeat: true\n  steps:\n    - call: { tool: no_action, args: { reason: nothing to add } }\n",
  ...agentFile("gone", "model: gone.yaml\n"),
  "gone.yaml": "- repeat: true\n  steps:\n    - fail: permanent\n      message: The line is dead.\n      times: 99\n",
  ...agentFile("sleeper", "model: sleep.yaml\n"),
  "sleep.yaml": '- repeat: true\n  steps:\n    - delay: 1h\n    - say: ""\n',
  ...agentFile("spent", "model: spent.yaml\n"),
  "spent.yaml": "- repeat: true\n  steps:\n    - fail: quota\n      message: The quota is used up.\n      times: 99\n",
  ...agentFile("careful", "model: careful.yaml\ntools: [bash]\npermissions: { ask: ['bash(printf *)'] }\n"),
  "careful.yaml":
    '- repeat: true\n  steps:\n    - call: { tool: bash, args: { command: "printf hello" } }\n    - say: printed\n',
  ...agentFile("echo", "model: echo.yaml\n"),
  "echo.yaml": '- repeat: true\n  steps:\n    - delay: 50ms\n    - say: "about {{ message }}"\n',
  ...agentFile("tess", "model: tess.yaml\n"),
  "tess.yaml":
    '- repeat: true\n  steps:\n    - call: { tool: todo_add, args: { text: "look again" } }\n    - say: noted\n',
  ...["one", "two", "three"]
    .map((name, at, names) =>
      Object.assign(agentFile(name, `model: ${name}.yaml\n`), {
        [`${name}.yaml`]: `- repeat: true\n  steps:\n    - say: "@${names[(at + 1) % 3]} here is a longer piece of work that you have to go on with, please"\n`,
      }),
    )
    .reduce((all, each) => ({ ...all, ...each }), {}),
  ...workflowFile(
    "ring",
    'agents:\n  one: { ref: one }\n  two: { ref: two }\n  three: { ref: three }\nbudget: { hops: 4 }\nkickoff: "@one begin"\n',
  ),
  ...workflowFile("desk", "agents:\n  ann: { ref: ann }\n"),
  ...workflowFile(
    "bare",
    'agents:\n  ann: { ref: ann }\n  echo: { ref: echo }\ncontext: false\nkickoff: "@echo alone"\n',
  ),
  ...agentFile("solo", "model: echo.yaml\n"),
  ...agentFile("boss", "model: boss.yaml\n"),
  "boss.yaml": '- repeat: true\n  steps:\n    - say: "@gone please look into this piece of work"\n',
  ...workflowFile("chain", "agents:\n  boss: { ref: boss }\n  gone: { ref: gone }\n"),
  ...workflowFile(
    "worse",
    'agents:\n  one: { ref: one }\n  two: { ref: two }\n  three: { ref: three }\n  gone: { ref: gone }\nbudget: { hops: 4 }\nkickoff: "@one @gone begin"\n',
  ),
  ...workflowFile("renamed", 'agents:\n  other: { ref: solo }\ncontext: false\nkickoff: "@other alone"\n'),
  ...workflowFile("typo", 'agents:\n  ann: { ref: ann }\nkickoff: "@anne hello"\n'),
};

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: FILES });
});
afterAll(async () => daemon[Symbol.asyncDispose]());

const start = (...args: string[]): RunningCommand => startInstalled(args, { cwd: daemon.project, env: daemon.env });
const last = (out: string): unknown => JSON.parse(out.trim().split("\n").at(-1) ?? "null");

async function openDeliveries(target: string): Promise<number> {
  const listed = await daemon.client.call("list-deliveries", { target });
  return listed.ok ? listed.value.deliveries.length : 0;
}

async function messageCount(target: string): Promise<number> {
  const seen = await daemon.client.call("peek-channel", { target, limit: 500 });
  return seen.ok ? seen.value.messages.length : 0;
}

/** What became of one message to an agent, by every way there is to ask for it. */
async function everyWay(agent: string) {
  const [sent, served, ran] = await Promise.all([
    daemon.run(["send", agent, "please", "--wait", "--json"]),
    daemon.run(["serve", agent, "please", "--json"]),
    daemon.run(["run", agent, "please", "--json"]),
  ]);
  return [sent, served, ran].map(({ exit, out }) => ({ exit, ...(last(out) as object) }));
}

describe("One request has one outcome, by the same word everywhere", () => {
  it("[outcome.incomplete] an agent that used up its steps is incomplete, and exit code 1 says so", async () => {
    for (const answer of await everyWay("busy")) {
      expect(answer).toMatchObject({ exit: 1, outcome: "incomplete" });
      expect(answer).toMatchObject({ incomplete: [{ agent: "busy", reason: expect.stringContaining("max_steps") }] });
    }
    const told = await daemon.run(["send", "busy", "please", "--wait"]);
    expect(told).toMatchObject({ exit: 1, err: expect.stringContaining("max_steps") });
    expect(told.err).toContain('agent-worker send busy "go on"');
    expect(told.err).not.toContain("nothing to say");
    const listed = await daemon.run(["runs", "list", "busy", "-n", "1"]);
    expect(listed.out).toContain("incomplete");
  });

  it("[outcome.success] answered and deliberately silent are success; failed is not", async () => {
    const expected = [
      ["ann", "answered", 0],
      ["quiet", "silent", 0],
      ["gone", "failed", 1],
    ] as const;
    await Promise.all(
      expected.map(async ([agent, outcome, exit]) => {
        for (const answer of await everyWay(agent)) {
          expect(answer, agent).toMatchObject({ outcome, exit, success: exit === 0 });
        }
      }),
    );
  });

  it("[outcome.stopped] what a person stops is stopped", async () => {
    await using running = start("run", "sleeper", "rest", "--json");
    await using sending = start("send", "sleeper", "rest", "--wait", "--json");
    await expect.poll(async () => openDeliveries("sleeper"), { timeout: 10_000 }).toBe(2);
    await daemon.run(["stop", "sleeper"]);
    for (const each of [running, sending]) {
      const { exit, out } = await each.ended;
      expect({ exit, ...(last(out) as object) }).toMatchObject({ exit: 1, outcome: "stopped" });
    }
  });
});

describe("Work that waits says so", () => {
  it("[outcome.parked] run and send --wait say for what and until when, and go on waiting", async () => {
    await using running = start("run", "spent", "please");
    await using sending = start("send", "spent", "please", "--wait");
    for (const each of [running, sending]) {
      expect(await each.line(/spent waits/, "err")).toMatch(/spent waits until \d{4}-\d\d-\d\dT.*quota is used up/);
      expect((await each.interrupt()).exit).toBe(130);
    }
    const listed = await daemon.run(["runs", "list", "spent", "-n", "1", "--json"]);
    expect(last(listed.out)).toMatchObject({ runs: [{ waitsFor: "quota", until: expect.stringMatching(/^\d{4}-/) }] });
  });

  it("[outcome.parked] serve ends as parked when the wait is longer than its limit, and the work goes on", async () => {
    const served = await daemon.run(["serve", "spent", "please", "--json"]);
    expect({ exit: served.exit, ...(last(served.out) as object) }).toMatchObject({
      exit: 1,
      outcome: "parked",
      success: false,
      waits: [{ agent: "spent", waitsFor: "quota", until: expect.stringMatching(/^\d{4}-/) }],
    });
    const asked = await daemon.run(["serve", "careful", "print it", "--wait-limit", "200ms"]);
    expect(asked).toMatchObject({ exit: 1, out: "", err: expect.stringContaining("agent-worker approve") });
    const id = /agent-worker approve (\S+)/.exec(asked.err)?.[1] ?? "";
    expect(await daemon.client.call("approve", { id })).toMatchObject({ ok: true });
    await expect.poll(async () => messageCount("careful"), { timeout: 10_000 }).toBe(2);
  });
});

describe("A limit that stops a chain of messages", () => {
  it("[outcome.limit] is shown with what to type next, and what is typed works", async () => {
    const ran = await daemon.run(["run", "ring", "--tag", "r1"]);
    expect(ran.exit).toBe(1);
    expect(ran.out).toContain("limit of 4 hops");
    expect(ran.err).toContain('agent-worker send @ring:r1 "go on"');
    expect(ran.err).toContain("stays open");
    expect(ran.out).toContain('agent-worker send @ring:r1 "go on"');
    const before = await messageCount("@ring:r1");
    const sent = await daemon.run(["send", "@ring:r1", "go on", "--wait", "--json"]);
    expect(last(sent.out)).toMatchObject({ outcome: "incomplete", recipients: [expect.anything()] });
    await expect.poll(async () => messageCount("@ring:r1"), { timeout: 10_000 }).toBeGreaterThan(before + 4);
  });
});

describe("A message that wakes nobody", () => {
  it("[outcome.nobody-woken] ends run and serve with exit code 1 and says what to do; start says so", async () => {
    const ran = await daemon.run(["run", "desk", "is anybody there?"]);
    expect(ran).toMatchObject({ exit: 1, err: expect.stringContaining("@ann") });
    const served = await daemon.run(["serve", "desk", "is anybody there?", "--json"]);
    expect({ exit: served.exit, ...(last(served.out) as object) }).toMatchObject({
      exit: 1,
      outcome: "nobody_woken",
      success: false,
    });
    const started = await daemon.run(["start", "desk", "is anybody there?", "--tag", "s1"]);
    expect(started).toMatchObject({ exit: 0, err: expect.stringContaining("@ann") });
    const sent = await daemon.run(["send", "@desk:s1", "hello", "--wait", "--json"]);
    expect({ exit: sent.exit, ...(last(sent.out) as object) }).toMatchObject({ exit: 1, outcome: "nobody_woken" });
  });

  it("[outcome.kickoff] a kickoff that names somebody who does not exist is refused by run and start", async () => {
    for (const command of ["run", "start"]) {
      const refused = await daemon.run([command, "typo"]);
      expect(refused).toMatchObject({ exit: 2, err: expect.stringMatching(/@anne[^]*ann/) });
    }
  });
});

describe("An answer reaches whoever asked", () => {
  it("[outcome.no-channel] also from a workspace without a channel", async () => {
    const [ran, served] = await Promise.all([
      daemon.run(["run", "bare", "--tag", "b1"]),
      daemon.run(["serve", "bare", "--tag", "b2"]),
      daemon.run(["start", "bare", "--tag", "b3"]),
    ]);
    expect(ran).toMatchObject({ exit: 0, out: expect.stringMatching(/echo +about .*alone/) });
    expect(served).toMatchObject({ exit: 0, out: expect.stringMatching(/^about .*alone/) });
    expect(await daemon.run(["send", "echo@bare:b3", "more", "--wait"])).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/echo +about more/),
    });
    expect((await daemon.run(["peek", "echo"])).out).toContain("about more");
  });

  it("[outcome.own-answer] each of five callers of one agent gets the answer to its own question", async () => {
    const ask = async (question: string): Promise<string> => (await daemon.run(["serve", "echo", question])).out.trim();
    const send = async (question: string): Promise<string> =>
      (await daemon.run(["send", "echo", question, "--wait"])).out.trim();
    const questions = ["first", "second", "third", "fourth", "fifth"];
    const answers = await Promise.all(questions.map((question, at) => (at < 3 ? ask(question) : send(question))));
    expect(answers).toEqual(questions.map((question) => expect.stringMatching(new RegExp(`about ${question}$`))));
  });

  it("[outcome.tool-calls] with the tool calls and their arguments, in /serve and in done", async () => {
    const calls = [{ agent: "tess", tool: "todo_add", args: { text: "look again" } }];
    const served = await daemon.fetch("/serve", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ agent: "tess", message: "please" }),
    });
    expect(await served.json()).toMatchObject({ outcome: "answered", content: "noted", toolCalls: calls });
    expect(last((await daemon.run(["run", "tess", "please", "--json"])).out)).toMatchObject({ toolCalls: calls });
  });
});

describe("What a message causes", () => {
  it("[outcome.caused] counts for whoever waits: an agent that is asked on the way and fails makes it fail", async () => {
    expect((await daemon.run(["start", "chain"])).exit).toBe(0);
    const sent = await daemon.run(["send", "@chain", "@boss please", "--wait", "--json"]);
    expect({ exit: sent.exit, ...(last(sent.out) as object) }).toMatchObject({ exit: 1, outcome: "failed" });
    const served = await daemon.client.serve({ to: "@chain", message: "@boss please" });
    expect(served).toMatchObject({ ok: true, value: { outcome: "failed", success: false } });
  });

  it("[outcome.told-once] an agent is told once that another could not answer, and does not try for ever", async () => {
    expect((await daemon.run(["start", "chain", "--tag", "once"])).exit).toBe(0);
    await daemon.run(["send", "@chain:once", "@boss please", "--wait"]);
    const dead = (await daemon.json(["dead", "list", "@chain:once"])) as { total: number };
    expect(dead.total).toBe(2);
  });

  it("[outcome.limit] a limit leaves the workspace open, also when something else failed", async () => {
    const ran = await daemon.run(["run", "worse"]);
    expect(ran).toMatchObject({ exit: 1, err: expect.stringContaining("@worse stays open") });
    expect(await daemon.run(["send", "@worse", "go on", "--wait"])).toMatchObject({
      err: expect.not.stringContaining("not running"),
    });
  });

  it("[outcome.own-name] an agent under another name answers once where there is no channel", async () => {
    expect(await daemon.run(["run", "renamed"])).toMatchObject({ exit: 0, out: expect.stringContaining("about") });
    const listed = await daemon.client.call("list-runs", { target: "solo" });
    const own = listed.ok ? listed.value.runs : [];
    expect(own.map(({ outcome }) => outcome)).toEqual(["answered"]);
  });
});
