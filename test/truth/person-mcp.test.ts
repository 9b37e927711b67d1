import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestDaemon, type TestDaemon } from "../support/daemon/daemon.ts";

const LAUNCHER = join(import.meta.dirname, "../../bin/agent-worker.js");

let daemon: TestDaemon;
let client: Client;
beforeAll(async () => {
  daemon = await startTestDaemon({
    files: {
      ".agents/alice.yaml": "name: alice\nbackend: mock\nmodel: alice-script.yaml\nprompt: { system: Help. }\n",
      "alice-script.yaml": "- repeat: true\n  steps:\n    - say: The sum is four.\n",
      ".workflows/desk.yaml": "name: desk\nagents:\n  alice: { ref: alice }\n",
    },
  });
  client = new Client({ name: "test", version: "1" });
  const { env, project: cwd } = daemon;
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [LAUNCHER, "mcp"], env, cwd }));
});
afterAll(async () => {
  await client?.close();
  await daemon?.[Symbol.asyncDispose]();
});

async function use(name: string, args: Record<string, unknown>) {
  const answer = await client.callTool({ name, arguments: args });
  const text = (answer.content as { text: string }[])[0]?.text ?? "";
  expect(answer.isError ?? false, `${name}: ${text}`).toBe(false);
  return { text, data: answer.structuredContent as Record<string, unknown> };
}

describe("a person's coding agent over MCP", () => {
  it("sends a message and gets the answer to it, in words and as data [mcp.person-whole]", async () => {
    const { text, data } = await use("send", { to: "alice", message: "How much is two and two?", wait: true });
    expect(data).toMatchObject({ content: "The sum is four.", outcome: "answered", success: true });
    expect(text).toContain("content: The sum is four.\n");
  });

  it("is told that an inbox belongs to nobody [hints.no-such-name]", async () => {
    const answer = await client.callTool({ name: "inbox_read", arguments: { target: "nosuch" } });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer.content)).toContain("There is no agent called");
  });

  it("reads and writes resources, documents and memory as the command line does [mcp.person-whole]", async () => {
    await use("workflow_start", { workflow: "desk" });
    const resource = await use("resource_create", { target: "@desk", content: "a long text" });
    const read = await use("resource_read", { id: resource.data["id"] });
    expect(read.data).toMatchObject({ content: "a long text" });
    await use("document_write", { target: "@desk", file: "plan.md", content: "# Plan\n" });
    expect((await use("document_read", { target: "@desk", file: "plan.md" })).text).toContain("# Plan");
    await use("memory_set", { agent: "alice", key: "editor", value: "uses vim" });
    expect((await use("memory_search", { agent: "alice", query: "vim" })).text).toContain("uses vim");
    expect((await use("run_list", {})).data).toMatchObject({ runs: [{ agent: "alice", outcome: "answered" }] });
  });
});
