import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentView } from "../../../src/contract/agents.ts";
import type { RunView, WaitingRun } from "../../../src/contract/runs.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { hasTerminals, startInTerminal } from "../../support/daemon/terminal-command.ts";
import { startFakeModelServer, type FakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { agentFile, workflowFile } from "../../support/team/team.ts";

const EMPTY_ACCOUNT = { type: "insufficient_quota", message: "You exceeded your current quota." };
const SLEEP = '- repeat: true\n  steps:\n    - delay: 1h\n    - say: ""\n';
const ASKS =
  '- repeat: true\n  steps:\n    - call: { tool: bash, args: { command: "printf hello" } }\n    - say: printed\n';

const slow = Promise.withResolvers<void>();
let model: FakeModelServer;
let daemon: CommandedDaemon;

function modelAgent(name: string, more: string): string {
  const provider = `provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`;
  return `name: ${name}\n${provider}\nprompt: { system: You are ${name}. }\n${more}\n`;
}

beforeAll(async () => {
  model = await startFakeModelServer(({ body }) => {
    switch ((body as { model?: unknown }).model) {
      case "empty":
        return { status: 429, error: EMPTY_ACCOUNT };
      case "busy":
        return { status: 503, headers: { "retry-after": "600" } };
      case "mute":
        return { silence: "headers" };
      case "slow":
        return { text: ["One two ", "three."], endsAfter: slow.promise };
      case "alive":
        return { text: "I begin", fault: "keep-alives" };
      default:
        return { text: "Done." };
    }
  });
  const agent = (name: string, more: string): Record<string, string> => ({
    [`.agents/${name}.yaml`]: modelAgent(name, more),
  });
  daemon = await startCommandedDaemon({
    files: {
      ...agent("spent", "model: empty"),
      ...agent("poor", "model: empty"),
      ...agent("put-off", "model: busy"),
      ...agent("unheard", "model: mute\ntimeouts: { first_byte: 200ms }"),
      ...agent("stuck", "model: alive\ntimeouts: { between: 300ms }"),
      ...agent("endless", "model: alive\ntimeouts: { between: 1h, step: 400ms }"),
      ".agents/bare.yaml": "name: bare\nmodel: groq/any\nprompt: { system: You are bare. }\n",
      ...agent("writer", "model: slow"),
      ...agentFile("quiet"),
      ...agentFile("sleeper", "model: sleep.yaml\n"),
      "sleep.yaml": SLEEP,
      ...agentFile("careful", "model: asks.yaml\ntools: [bash]\npermissions: { ask: ['bash(printf *)'] }\n"),
      "asks.yaml": ASKS,
      ...workflowFile(
        "desk",
        'agents:\n  quiet: { ref: quiet }\n  helper: { backend: mock, model: sleep.yaml, prompt: { system: You help. } }\nkickoff: "@helper sort the letters\\nand then the rest"\n',
      ),
    },
    env: { FAKE_KEY: "sk-test-0123456789abcdef", GROQ_API_KEY: "gsk-test-0123456789abcdef" },
  });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

interface Listed {
  readonly agents: readonly AgentView[];
  readonly waits: readonly WaitingRun[];
}

async function listed(): Promise<Listed> {
  return (await daemon.json(["ls"])) as Listed;
}

async function listedByDaemon(): Promise<Listed> {
  const answer = await daemon.client.call("list-agents", {});
  if (!answer.ok) throw new Error(answer.error.message);
  return { agents: [...answer.value.agents, ...answer.value.workflowAgents], waits: answer.value.waits };
}

async function waitOf(agent: string): Promise<WaitingRun> {
  let wait: WaitingRun | undefined;
  const find = async (): Promise<string | undefined> => {
    wait = (await listedByDaemon()).waits.find((each) => each.agent === agent);
    return wait?.agent;
  };
  await expect.poll(find, { timeout: 20_000 }).toBe(agent);
  return wait as WaitingRun;
}

async function untilRunning(...names: string[]): Promise<void> {
  const running = async (): Promise<string[]> =>
    (await listedByDaemon()).agents.filter(({ state }) => state === "running").map(({ name }) => name);
  await expect.poll(running, { timeout: 20_000 }).toEqual(names);
}

describe("A provider without quota, a busy one and one that says nothing", () => {
  it("[trouble.shown] [trouble.well] are seen in ls, status, doctor, inbox, runs show and the log", async () => {
    const agents = ["spent", "put-off", "unheard", "stuck", "endless"];
    await Promise.all(agents.map((to) => daemon.client.call("send-message", { to, message: "please" })));
    const quota = await waitOf("spent");
    expect(quota).toMatchObject({ space: "spent", waitsFor: "quota", next: expect.stringContaining("model: [") });
    expect(Date.parse(quota.until ?? "")).toBeGreaterThan(Date.parse(quota.since));
    const busy = await waitOf("put-off");
    expect(busy).toMatchObject({ waitsFor: "provider", reason: expect.stringContaining("503") });
    expect(Date.parse(busy.until ?? "") - Date.parse(busy.since)).toBeGreaterThanOrEqual(600_000);

    const [ls, status, doctor, inbox, logs] = await Promise.all([
      daemon.run(["ls"]),
      daemon.run(["status"]),
      daemon.run(["doctor"]),
      daemon.run(["inbox", "spent"]),
      daemon.run(["daemon", "logs", "-n", "500"]),
    ]);
    for (const { out } of [ls, status, inbox]) {
      expect(out).toMatch(/^spent waits for quota, since \d\d:\d\d until \d\d:\d\d: .*exceeded your current quota/m);
      expect(out).toContain("name another model in the file of spent");
    }
    expect(doctor.out).toMatch(/waiting +put-off .*waits for the time that its provider named since .* until .*503/);
    expect(doctor.out).not.toContain("All is well");
    expect(ls.out).toMatch(/^put-off +file +parked until \d\d:\d\d +1\/0\/0/m);
    expect(logs.out).toMatch(/a run waits.*spent.*quota/);
    const shown = await daemon.run(["runs", "show", busy.run]);
    expect(shown.out).toMatch(/waits since \d\d:\d\d because: .*503/);
    expect(shown.out).toContain("name another model in the file of put-off");
  });

  it("[trouble.mended-model] are not waited for any longer when the file of the agent names another model", async () => {
    await daemon.client.call("send-message", { to: "poor", message: "please" });
    expect(await waitOf("poor")).toMatchObject({ waitsFor: "quota" });
    daemon.write(".agents/poor.yaml", modelAgent("poor", "model: plain"));
    await expect.poll(async () => (await daemon.run(["peek", "poor"])).out, { timeout: 20_000 }).toContain("Done.");
  });

  it("[trouble.timeouts] a model that says nothing, or only that it is alive, is given up after its limit", async () => {
    const limits = [
      ["unheard", /no answer within 0.2 s \(timeouts.first_byte\)/],
      ["stuck", /did not go on within 0.3 s \(timeouts.between\)/],
      ["endless", /not complete within 0.4 s \(timeouts.step\)/],
    ] as const;
    for (const [agent, reason] of limits) {
      expect(await waitOf(agent)).toMatchObject({ waitsFor: "retry", reason: expect.stringMatching(reason) });
    }
  });
});

describe("A package that is not there", () => {
  it("[trouble.shown] fails with the command that installs it, in the answer and in doctor", async () => {
    const [sent, doctor] = await Promise.all([
      daemon.run(["send", "bare", "please", "--wait"]),
      daemon.run(["doctor"]),
    ]);
    expect(sent).toMatchObject({ exit: 1, err: expect.stringContaining("agent-worker providers add groq") });
    expect(doctor).toMatchObject({ exit: 1, out: expect.stringContaining("agent-worker providers add groq") });
    expect((await daemon.run(["ls"])).out).toContain("1 dead letter. See: agent-worker dead list");
  });
});

describe("What everyone is doing", () => {
  it("[trouble.states] is the same in ls, status and the list of runs, for agents of workflows too", async () => {
    for (const agent of ["unheard", "stuck", "endless"]) await daemon.client.stopAgent(agent);
    await daemon.run(["start", "desk"]);
    await daemon.client.call("send-message", { to: "sleeper", message: "count the sheep\none by one" });
    await daemon.client.call("send-message", { to: "careful", message: "print it" });
    const { approval } = await waitOf("careful");
    await untilRunning("sleeper", "helper@desk");

    const { agents } = await listed();
    const of = (name: string) => agents.find((each) => each.name === name);
    expect(of("helper@desk")).toMatchObject({
      source: "workflow",
      work: { space: "@desk:main", message: "@helper sort the letters" },
      workspaces: ["@desk:main"],
    });
    expect(of("sleeper")).toMatchObject({ state: "running", work: { space: "sleeper", message: "count the sheep" } });
    expect(of("quiet")).toMatchObject({ state: "idle", work: null, workspaces: ["@desk:main"] });
    expect(of("careful")).toMatchObject({ state: "waiting", until: null, work: { message: "print it" } });
    const { out } = await daemon.run(["ls"]);
    expect(out).toMatch(/^helper@desk +workflow +running +.*@desk since \d\d:\d\d: @helper sort the letters$/m);
    expect(out).toContain(`agent-worker approve ${approval}`);

    expect((await daemon.run(["ls", "@desk"])).out).toMatch(/^helper +workflow +- +running +1$/m);

    const [status, unfinished] = await Promise.all([
      daemon.json(["status"]) as Promise<{ projects: { running: number; waiting: number; waits: WaitingRun[] }[] }>,
      daemon.json(["runs", "list", "--unfinished"]) as Promise<{ runs: RunView[] }>,
    ]);
    const working = unfinished.runs.filter(({ state }) => state === "open").length;
    expect(status.projects[0]).toMatchObject({ running: working, waiting: unfinished.runs.length - working });
    expect(status.projects[0]?.waits.map(({ agent }) => agent)).toContain("careful");

    await daemon.client.call("approve", { id: approval ?? "" });
    const careful = async () => (await listedByDaemon()).agents.find(({ name }) => name === "careful")?.state;
    await expect.poll(careful, { timeout: 20_000 }).toBe("idle");
    expect((await daemon.run(["daemon", "logs", "-n", "500"])).out).toMatch(/a run goes on.*careful/);
  });
});

/** What a person sees in the end: a carriage return and "remove the line" take back what was on the line. */
function visible(shown: string): string {
  // oxlint-disable-next-line no-control-regex -- escape sequences are what it is about.
  return shown.replaceAll("\r\n", "\n").replace(/[^\n]*\r\u001b\[K/g, "");
}

describe.skipIf(!hasTerminals)("run on a terminal", () => {
  it("[trouble.stream] shows words as they come, and once", async () => {
    const running = startInTerminal(["run", "writer", "write"], {
      cwd: daemon.project,
      env: { ...daemon.env, NO_COLOR: "1" },
    });
    await expect.poll(() => running.shown(), { timeout: 20_000 }).toMatch(/writer +One two three\./);
    slow.resolve();
    const { exit, shown } = await running.ended;
    expect(exit).toBe(0);
    expect(visible(shown)).toMatch(/^user +write\nwriter +One two three\.\n\nAnswered in [\d.]+ s\. 15 tokens, /);
    const piped = await daemon.run(["run", "writer", "write"]);
    expect(piped).toEqual({ exit: 0, out: expect.stringMatching(/^user +write\nwriter +One two three\.\n$/), err: "" });
  });
});
