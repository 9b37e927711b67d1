import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { OFFLINE } from "../support/daemon/loopback-only.ts";
import type { FakeReply, FakeScript, RecordedRequest } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { CLIS } from "../support/engine/real-cli.ts";
import { processesWith } from "../support/process/processes-with.ts";

/** Who comes next, and how the model of each engine asks for a tool of the team. */
const RELAY = {
  ada: { next: "ben", call: (tool: string) => ({ name: `mcp__agent-worker__${tool}` }) },
  ben: { next: "cy", call: (tool: string) => ({ name: tool, namespace: "mcp__agent_worker" }) },
  cy: { next: "dee", call: (tool: string) => ({ name: `agent-worker_${tool}` }) },
  dee: { next: null, call: (tool: string) => ({ name: tool }) },
} as const;
type Runner = keyof typeof RELAY;
const runners = Object.keys(RELAY) as Runner[];

function runnerOf({ system, messages }: RecordedRequest): Runner | undefined {
  const whole = `${system}\n${JSON.stringify(messages)}`;
  return runners.find((name) => whole.includes(`SIGN-OF-${name.toUpperCase()}`));
}

/** The baton is passed with a tool, once; what a program asks for itself gets a word. */
function relay(request: RecordedRequest): FakeReply {
  const runner = runnerOf(request);
  if (runner === undefined) return { text: "A title" };
  const { next, call } = RELAY[runner];
  if (JSON.stringify(request.messages).includes(`baton-of-${runner}`)) return { text: "Passed on." };
  const message = next === null ? "baton-of-dee: the relay is over." : `@${next} baton-of-${runner}: run!`;
  return { toolCalls: [{ ...call("channel_send"), args: { message } }] };
}

function workflow(url: string): string {
  const agent = (name: Runner, backend: string, model: string, provider: string, baseUrl: string): string =>
    `  ${name}:
    backend: ${backend}
    model: ${model}
    provider: { name: ${provider}, base_url: "${baseUrl}", api_key: $RELAY_KEY }
    prompt: { system: "You run in a relay. SIGN-OF-${name.toUpperCase()}" }`;
  return [
    "agents:",
    agent("ada", "claude", "claude-sonnet-5-5", "anthropic", url),
    agent("ben", "codex", "gpt-5.2", "loopback", `${url}/v1`),
    agent("cy", "opencode", "fake-1", "loopback", `${url}/v1`),
    agent("dee", "sdk", "fake-2", "openai-compatible", `${url}/v1`),
    'kickoff: "@ada take the baton."',
    "",
  ].join("\n");
}

const BATONS = [
  ["user", "@ada take the baton."],
  ["ada", "@ben baton-of-ada: run!"],
  ["ben", "@cy baton-of-ben: run!"],
  ["cy", "@dee baton-of-cy: run!"],
  ["dee", "baton-of-dee: the relay is over."],
];

async function startRelay(script: FakeScript) {
  const models = await startFakeModelServer(script);
  const daemon = await startCommandedDaemon({
    files: { ".workflows/relay.yaml": workflow(models.url) },
    env: {
      ...OFFLINE,
      RELAY_KEY: "sk-test-0123456789abcdef",
      PATH: `${join(CLIS ?? "", "node_modules/.bin")}:${process.env.PATH ?? ""}`,
    },
  });
  return {
    models,
    daemon,
    said: async () => {
      const { messages } = (await daemon.json(["peek", "@relay", "-n", "50"])) as {
        messages: readonly { from: string; content: string }[];
      };
      return messages.map(({ from, content }) => [from, content]);
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      await models[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(CLIS === undefined)("a team of four engines [engine.mixed-team]", () => {
  it("passes a baton from Claude Code to Codex to OpenCode to the model API, once each, and is done", async () => {
    await using team = await startRelay(relay);
    expect(await team.daemon.run(["run", "relay", "--json"]), team.daemon.errors()).toMatchObject({ exit: 0 });
    expect(await team.said()).toEqual(BATONS);
    const { agents } = (await team.daemon.json(["stats"])) as {
      agents: readonly { agent: string; usage: { runs: number } }[];
    };
    expect(Object.fromEntries(agents.map(({ agent, usage }) => [agent, usage.runs]))).toEqual({
      ada: 1,
      ben: 1,
      cy: 1,
      dee: 1,
    });
    expect(Object.fromEntries(runners.map((name) => [name, requestsOf(team.models, name)]))).toEqual({
      ada: 2,
      ben: 2,
      cy: 2,
      dee: 2,
    });
  });

  it("goes on when a program is killed in the middle of its turn, and nothing is said twice", async () => {
    let killed = 0;
    await using team = await startRelay((request) => {
      if (killed > 0 || runnerOf(request) !== "cy") return relay(request);
      for (const pid of processesWith("run\u0000--format\u0000json")) {
        if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(team.daemon.env["HOME"] ?? "?")) continue;
        process.kill(pid, "SIGKILL");
        killed += 1;
      }
      return { silence: "headers" };
    });
    expect(await team.daemon.run(["run", "relay", "--json"]), team.daemon.errors()).toMatchObject({ exit: 0 });
    expect(killed).toBe(1);
    expect(await team.said()).toEqual(BATONS);
  });
});

function requestsOf({ requests }: FakeModelServer, name: Runner): number {
  return requests.filter((request) => runnerOf(request) === name).length;
}
