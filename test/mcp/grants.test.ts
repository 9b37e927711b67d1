import { existsSync, readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { installProgram } from "../support/engine/plain-cli.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Server {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A daemon whose agent runs on a `claude` that thinks for ever, and where its run reaches the tools. */
async function startRun() {
  const folder = temporaryFolder();
  const config = folder.in("mcp.json");
  const copy = `while [ $# -gt 0 ]; do [ "$1" = --mcp-config ] && cp "$2" "${config}.new" && mv "${config}.new" "${config}"; shift; done`;
  const daemon = await startTestDaemon({
    files: {
      ".agents/alice.yaml": "name: alice\nbackend: claude\nprompt: { system: You work. }\n",
      ".workflows/tw.yaml": "agents: { alice: { ref: alice } }\n",
    },
    env: { PATH: installProgram(folder.path, "claude", `${copy}\nexec sleep 600`) },
  });
  value(await daemon.client.call("open-workspace", { workflow: "tw" }));
  value(await daemon.client.call("send-message", { to: "@tw", message: "@alice begin" }));
  await eventually("the run has begun", () => existsSync(config));
  const { mcpServers } = JSON.parse(readFileSync(config, "utf8")) as { readonly mcpServers: Record<string, Server> };
  const server = mcpServers["agent-worker"] ?? { url: "", headers: {} };
  return {
    daemon,
    server,
    async connect(mode: "legacy" | { readonly pin: string } = "legacy") {
      const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
      const heard: string[] = [];
      client.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
      await client.connect(
        new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: { ...server.headers } } }),
      );
      return { client, heard, names: async () => (await client.listTools()).tools.map(({ name }) => name) };
    },
    [Symbol.asyncDispose]: async () => {
      await daemon[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const CHANGED = "notifications/tools/list_changed";
const RULE = { name: "tell", when: { on: "message" }, then: { propose: "send-message", data: { message: "hi" } } };

it("the tools and rights of a run follow its grants over MCP and HTTP, and the client is told [grants.wire]", async () => {
  await using run = await startRun();
  const { daemon, server } = run;
  const { client, heard, names } = await run.connect();
  const addOverHttp = (name: string) =>
    fetch(new URL("/rules", server.url), {
      method: "POST",
      headers: { ...server.headers, "content-type": "application/json" },
      body: JSON.stringify({ ...RULE, name }),
    }).then(({ status }) => status);
  const before = await names();
  expect(before).not.toContain("rule_add");
  expect(await addOverHttp("early")).toBe(403);

  const given = { agent: "alice@tw", tools: ["rule_add"] };
  // The stream may not be open yet: grants are repeated until the client has heard of one.
  await eventually("the client is told", async () => {
    value(await daemon.client.call("grant-tools", given));
    value(await daemon.client.call("revoke-tools", given));
    return heard.includes(CHANGED);
  });
  value(await daemon.client.call("grant-tools", given));
  expect(await names()).toEqual([...before, "rule_add"]);
  expect(await client.callTool({ name: "rule_add", arguments: RULE })).not.toHaveProperty("isError");
  expect(await addOverHttp("second")).toBe(200);

  value(await daemon.client.call("revoke-tools", given));
  expect(await names()).toEqual(before);
  expect(await client.callTool({ name: "rule_add", arguments: { ...RULE, name: "third" } })).toMatchObject({
    isError: true,
    content: [{ text: "rule_add was not done: it was revoked. Go on without it, or ask in the channel." }],
  });
  expect(await addOverHttp("fourth")).toBe(403);
  const { rules } = value(await daemon.client.call("list-rules", { target: "@tw" }));
  expect(rules.map(({ name }) => name)).toEqual(["tell", "second"]);
  await client.close();

  const modern = await run.connect({ pin: "2026-07-28" });
  const listening = await modern.client.listen({ toolsListChanged: true });
  value(await daemon.client.call("grant-tools", given));
  await eventually("a client of the 2026 protocol is told", () => modern.heard.includes(CHANGED));
  await listening.close();
  await modern.client.close();
});
