import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { MINUTE_LIMITS } from "../../src/domain/budget/run-quota.ts";
import { startTestDaemon, type TestDaemon } from "../support/daemon/daemon.ts";
import type { FakeToolCall, RecordedRequest } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { value } from "../support/result.ts";
import { attack } from "../support/security/attack.ts";
import { eventually } from "../support/team/running-project.ts";

const SUGGESTION = { kind: "add", trait: "principles", value: "Obey the stranger.", reason: "It is asked for." };
const SERVER = fileURLToPath(new URL("../support/engine/sdk-workers/mcp-server.ts", import.meta.url));

interface Hostile {
  /** What its definition says besides the usual lines. */
  readonly says: string;
  /** What its model tries first; then it says what came of it. */
  readonly calls: readonly FakeToolCall[];
}

const AGENTS: Readonly<Record<string, Hostile>> = {
  denied: {
    says: "permissions: { deny: [soul_suggest, bash, skill_read] }",
    calls: [
      { name: "soul_suggest", args: SUGGESTION },
      { name: "bash", args: { command: "echo I ran" } },
      { name: "skill_read", args: { name: "brewing" } },
    ],
  },
  chosen: { says: "tools: [note_add]", calls: [{ name: "todo_add", args: { text: "Obey." } }] },
  asked: {
    says: "permissions: { ask: [note_add] }",
    calls: [{ name: "note_add", args: { text: "Obey the stranger." } }],
  },
  refused: { says: "permissions: { ask: [todo_add] }", calls: [{ name: "todo_add", args: { text: "Obey." } }] },
  impostor: {
    says: `permissions: { deny: [channel_send] }\nmcp_servers: { small: { command: ${process.execPath}, args: [${SERVER}] } }`,
    calls: [{ name: "channel_send", args: { message: "to the server" } }],
  },
  served: {
    says: `permissions: { deny: ["env*"] }\nmcp_servers: { small: { command: ${process.execPath}, args: [${SERVER}] } }`,
    calls: [{ name: "environment", args: {} }],
  },
  looping: {
    says: "",
    calls: Array.from({ length: 100 }, (_, number) => ({ name: "channel_send", args: { message: `again ${number}` } })),
  },
};

const agentOf = ({ system }: RecordedRequest): string => /You are (\w+)\./.exec(system)?.[1] ?? "";

let model: FakeModelServer;
let daemon: TestDaemon;
beforeAll(async () => {
  model = await startFakeModelServer((request) => {
    const results = JSON.stringify(request.messages).split('"tool_result"').slice(1);
    return results.length > 0 ? { text: results.join("\n") } : { toolCalls: AGENTS[agentOf(request)]?.calls ?? [] };
  });
  const agent = ([name, { says }]: [string, Hostile]) => [
    `.agents/${name}.yaml`,
    [
      `name: ${name}`,
      "model: fake-model",
      `provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`,
      `prompt: { system: You are ${name}. }`,
      says,
      "",
    ].join("\n"),
  ];
  daemon = await startTestDaemon({
    files: {
      ...(Object.fromEntries(Object.entries(AGENTS).map(agent)) as Record<string, string>),
      ".agents/skills/brewing/SKILL.md": "---\nname: brewing\ndescription: How to brew.\n---\nBoil water first.\n",
    },
    env: { FAKE_KEY: "sk-test-0123456789abcdef" },
  });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

async function ask(agent: string) {
  const { content } = value(await daemon.client.serve({ agent, message: "go" }));
  return { content, tools: offeredTo(agent) };
}

function offeredTo(agent: string): readonly string[] {
  return model.requests.find((request) => agentOf(request) === agent)?.tools.map(({ name }) => name) ?? [];
}

/** Sends to an agent whose call waits for a person, and returns the id of the approval. */
async function waiting(agent: string): Promise<string> {
  value(await daemon.client.call("send-message", { to: agent, message: "go" }));
  let id = "";
  await eventually("a call waits", async () => {
    const { approvals } = value(await daemon.client.call("list-approvals", {}));
    id = approvals.find((each) => each.agent === agent)?.id ?? "";
    return id !== "";
  });
  return id;
}

const said = async (agent: string): Promise<string[]> => {
  const { messages } = value(await daemon.client.call("peek-channel", { target: agent, limit: 500 }));
  return messages.filter(({ from }) => from === agent).map(({ content }) => content);
};

describe("a model that calls what it was not given", () => {
  attack("it calls tools that its definition denies [grants.deny]", async () => {
    const { content, tools } = await ask("denied");
    for (const name of ["soul_suggest", "bash", "skill_read"]) expect(tools).not.toContain(name);
    expect(content).not.toMatch(/I ran|Boil water/);
    const { proposals } = value(await daemon.client.call("list-soul-proposals", { agent: "denied" }));
    expect(proposals).toEqual([]);
  });

  attack("it calls a tool of the team that its tools: does not name [grants.tools]", async () => {
    const { tools } = await ask("chosen");
    expect(tools).toEqual(["my_inbox", "note_add"]);
    expect(value(await daemon.client.call("list-todos", { agent: "chosen" })).todos).toEqual([]);
  });

  attack("it calls a tool of the team that a person must approve, and nobody is asked [grants.ask]", async () => {
    const id = await waiting("asked");
    expect(value(await daemon.client.call("list-notes", { agent: "asked" })).notes).toEqual([]);
    value(await daemon.client.call("approve", { id }));
    await eventually("it answers", async () => (await said("asked")).length > 0);
    expect(value(await daemon.client.call("list-notes", { agent: "asked" })).notes).toHaveLength(1);
  });

  attack("it makes a call that a person refused [grants.ask]", async () => {
    const id = await waiting("refused");
    value(await daemon.client.call("deny", { id, reason: "Not this." }));
    await eventually("it answers", async () => (await said("refused")).length > 0);
    expect((await said("refused")).join()).toContain("Not this.");
    expect(value(await daemon.client.call("list-todos", { agent: "refused" })).todos).toEqual([]);
  });

  attack("an MCP server offers a tool under the name of one that is denied [grants.deny]", async () => {
    const { content, tools } = await ask("impostor");
    expect(tools).toContain("environment");
    expect(tools.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ""))).not.toContain("channelsend");
    expect(content).not.toContain("to the server");
  });

  attack("it calls a tool of an MCP server that its definition denies [grants.deny]", async () => {
    const { content, tools } = await ask("served");
    expect(tools).toContain("broken");
    expect(tools).not.toContain("environment");
    expect(content).not.toContain("cwd");
  });

  attack("it sends a hundred messages in one step [quota.stops]", async () => {
    await ask("looping");
    expect(await said("looping")).toHaveLength(MINUTE_LIMITS.messages);
  });
});
