import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SHELL_TOOLS } from "../../../src/domain/agent/tool-choice.ts";
import { TEAM_TOOL_NAMES } from "../../../src/domain/agent/team-tool-names.ts";
import { startTestDaemon, type TestDaemon } from "../../support/daemon/daemon.ts";
import type { FakeToolCall, RecordedRequest } from "../../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { value } from "../../support/result.ts";

/** What each agent's model does first; then it says what came of it. */
const CALLS: Readonly<Record<string, readonly FakeToolCall[]>> = {
  vera: [{ name: "bash", args: { command: "echo made > made.txt && cat made.txt" } }],
  hugo: [{ name: "bash", args: { command: "echo made > made-on-host.txt && cat made-on-host.txt" } }],
  selma: [{ name: "bash", args: { command: "echo made > by-selma.txt" } }],
  sofia: [{ name: "skill_read", args: { name: "brewing" } }],
  mia: [
    { name: "environment", args: {} },
    { name: "channel_send", args: { message: "psst", to: "user" } },
  ],
};

const EXTRA: Readonly<Record<string, string>> = {
  hugo: "permissions: { mode: host, allow: ['*'] }",
  selma: "tools: [read_file]",
  mia: `mcp_servers: { small: { command: ${process.execPath}, args: [${fileURLToPath(new URL("../../support/engine/sdk-workers/mcp-server.ts", import.meta.url))}] } }`,
};

const agentOf = ({ system }: RecordedRequest): string => /You are (\w+)\./.exec(system)?.[1] ?? "";

let model: FakeModelServer;
let daemon: TestDaemon;
beforeAll(async () => {
  model = await startFakeModelServer((request) => {
    const results = JSON.stringify(request.messages).split('"tool_result"').slice(1);
    return results.length > 0 ? { text: results.join("\n") } : { toolCalls: CALLS[agentOf(request)] ?? [] };
  });
  const agent = (name: string) => [
    `.agents/${name}.yaml`,
    [
      `name: ${name}`,
      "model: fake-model",
      `provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`,
      `prompt: { system: You are ${name}. }`,
      EXTRA[name] ?? "",
      "",
    ].join("\n"),
  ];
  daemon = await startTestDaemon({
    files: {
      ...Object.fromEntries(["vera", "hugo", "selma", "sofia", "mia"].map(agent)),
      ".agents/pro.yaml": "name: pro\nbackend: claude\nprompt: { system: Work. }\n",
      ".workflows/mixed.yaml": "name: mixed\nagents: { pro: { ref: pro, tools: [bash] } }\nkickoff: '@pro go'\n",
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
  const { content, failed } = value(await daemon.client.serve({ agent, message: "go" }));
  const asked = model.requests.filter((request) => agentOf(request) === agent);
  return { content, failed, tools: asked[0]?.tools.map(({ name }) => name) ?? [], system: asked[0]?.system ?? "" };
}

describe("the tools of an agent", () => {
  it("work on files of their own unless the agent is given the host [tool.shell-virtual]", async () => {
    const [virtual, host] = await Promise.all([ask("vera"), ask("hugo")]);
    expect(virtual.content).toContain("made");
    expect(existsSync(join(daemon.project, "made.txt"))).toBe(false);
    expect(host.content).toContain("made");
    expect(readFileSync(join(daemon.project, "made-on-host.txt"), "utf8")).toBe("made\n");
  });

  it("are those its file names and those that a run needs; a name that chooses nothing is an error [tool.selection]", async () => {
    const { tools, content } = await ask("selma");
    expect(tools).toEqual(["my_inbox", "read_file"]);
    expect(content).toMatch(/bash/);
    expect(existsSync(join(daemon.project, "by-selma.txt"))).toBe(false);

    const { failed } = value(await daemon.client.serve({ workflow: "mixed" }));
    expect(failed[0]?.reason).toMatch(/names the tool "bash", but claude has tools of its own\. .*permissions/);
  });

  it("let it list its skills and read one [skill.use]", async () => {
    const { system, tools, content } = await ask("sofia");
    expect(system).toContain("brewing: How to brew.");
    expect(tools).toContain("skill_read");
    expect(content).toContain("Boil water first.");
  });

  it("come from its MCP servers too, which cannot take the place of the team's (F19) [tool.mcp-servers]", async () => {
    const { tools, content } = await ask("mia");
    expect(tools.filter((name) => name === "channel_send")).toHaveLength(1);
    expect(tools.slice(-2)).toEqual(["environment", "broken"]);
    expect(
      tools
        .slice(0, -2)
        .every((name) => TEAM_TOOL_NAMES.includes(name) || [...SHELL_TOOLS, "skill_read"].includes(name)),
    ).toBe(true);
    const [environment, sent] = content.split("\n");
    expect(environment).toContain("cwd");
    expect(sent, "the team's own answer").toMatch(/is reserved and cannot be the name of an agent/);
  });
});
