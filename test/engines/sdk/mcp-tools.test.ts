import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { McpServer } from "../../../src/domain/agent/definition.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import { failureOf, openSession, stepsOf } from "../../../src/testing/engine-steps.ts";
import { recordingTools, success } from "../../../src/testing/recording-tools.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { agentOn, childProcesses, environment, startEngine } from "../../support/engine/sdk-engine-rig.ts";

const warnings: string[] = [];
const engine = startEngine({
  poolSize: 0,
  env: { ...environment, SECRET_OF_DAEMON: "hush", FOR_SERVER: "passed-on" },
  log: { ...silentLog, warn: (message) => void warnings.push(message) },
});
afterAll(() => engine[Symbol.asyncDispose]());
const cwd = tmpdir();
const small: McpServer = {
  command: process.execPath,
  args: [fileURLToPath(new URL("../../support/engine/sdk-workers/mcp-server.ts", import.meta.url))],
  env: { TOKEN: "$FOR_SERVER" },
};

describe("the agent's own MCP servers", () => {
  it("add their tools after the daemon's, whose names and likenesses are reserved (F19) [engine.sdk]", async () => {
    await using server = await startFakeModelServer([
      { toolCalls: ["environment", "broken", "channel_send"].map((name) => ({ name, args: {} })) },
      { text: "Done." },
    ]);
    const tools = recordingTools({ channel_send: () => success("sent by the daemon") });
    const agent = agentOn(server.url, "openai-chat", { mcpServers: { small }, env: { OF_AGENT: "yes" } });
    {
      await using session = await openSession({ engine, agent, cwd }, tools);
      const [events = []] = await stepsOf(session);
      const results = events.filter((event) => event.type === "tool-result");
      expect(results.slice(1)).toMatchObject([
        { tool: "broken", content: "it broke", isError: true },
        { tool: "channel_send", content: "sent by the daemon", isError: false },
      ]);
      const seen = JSON.parse(results[0]?.content ?? "") as { env: Record<string, string>; cwd: string };
      expect(seen).toMatchObject({ cwd, env: { TOKEN: "passed-on", OF_AGENT: "yes" } });
      expect(Object.keys(seen.env)).not.toContain("SECRET_OF_DAEMON");
      expect(Object.keys(seen.env)).not.toContain("TEST_KEY");
    }
    expect(server.requests[0]?.tools.map(({ name }) => name)).toEqual(["channel_send", "environment", "broken"]);
    expect(warnings).toEqual([expect.stringContaining('"channel_send"'), expect.stringContaining('"Channel-Send"')]);
    expect(childProcesses()).toEqual([]);
  });

  it.each<[string, McpServer, object]>([
    [
      "is not there",
      { command: "/nonexistent/server" },
      { class: "permanent", message: expect.stringContaining("MCP server small") },
    ],
    ["ends at once", { command: process.execPath, args: ["-e", ""] }, { message: expect.stringMatching(/MCP server/) }],
    [
      "does not answer",
      { url: "http://127.0.0.1:1/mcp" },
      { class: "transient", message: expect.stringContaining("MCP server small") },
    ],
  ])("one that %s is one clear failure [engine.sdk]", async (_what, server, expected) => {
    const agent = agentOn("http://127.0.0.1:1", "openai-chat", { mcpServers: { small: server } });
    await using hasty = startEngine({ poolSize: 0, timeouts: { mcp: 2_000 } });
    expect(await failureOf(() => openSession({ engine: hasty, agent, cwd }, recordingTools()))).toMatchObject(expected);
    expect(childProcesses()).toEqual([]);
  });
});

describe("a provider whose package is not installed", () => {
  it("fails for good and says what to install [engine.sdk]", async () => {
    await using own = startEngine({ poolSize: 0, env: { ...environment, GROQ_API_KEY: "gsk-0123456789" } });
    const agent = agentOn("", "openai-chat", { model: "groq/llama", provider: { name: "groq" } });
    await expect(openSession({ engine: own, agent, cwd }, recordingTools())).rejects.toMatchObject({
      class: "permanent",
      message: expect.stringContaining("agent-worker providers add groq"),
    });
  });
});
