import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";

const FILES = { ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: Help. }\n" };

test("[mcp.same-operations] the command, HTTP and MCP take the same, do the same and refuse the same", async () => {
  await using daemon = await startCommandedDaemon({ files: FILES });
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${daemon.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`), { requestInit }));
  const byHttp = async (to: string, message: string): Promise<unknown> => {
    const body = JSON.stringify({ to, message });
    const answer = await daemon.fetch("/send", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    return answer.json();
  };
  const byMcp = async (to: string, message: string): Promise<unknown> =>
    (await client.callTool({ name: "send", arguments: { to, message } })).structuredContent;
  const byCommand = async (to: string, message: string): Promise<unknown> => {
    const { out, err } = await daemon.run(["send", to, message, "--json"]);
    return JSON.parse(out === "" ? err : out);
  };
  const ways = [byCommand, byHttp, byMcp];

  const receipts = [];
  for (const way of ways) receipts.push(await way("alice", "the same words"));
  const [first] = receipts as Record<string, unknown>[];
  const { id: _id, seq: _seq, ...same } = first ?? {};
  for (const receipt of receipts) {
    expect(receipt).toMatchObject({ ...same, space: "alice", recipients: [{ agent: "alice", lane: "immediate" }] });
  }
  const page = await daemon.client.call("peek-channel", { target: "alice" });
  const said = page.ok ? page.value.messages.filter(({ content }) => content === "the same words") : [];
  expect(said.map(({ from }) => from)).toEqual(["user", "user", "user"]);

  for (const way of ways) {
    expect(await way("alicia", "hello?")).toMatchObject({
      error: { code: "not_found", message: 'There is no agent called "alicia".' },
    });
  }
  await client.close();
});
