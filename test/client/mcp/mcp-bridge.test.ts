import { createServer } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, expect, test } from "vitest";
import { connectToDaemon, connectionOpener } from "../../../src/client/connect.ts";
import { bridgeMcp, type BridgeParts } from "../../../src/client/mcp/mcp-bridge.ts";
import { readLines } from "../../../src/client/mcp/mcp-lines.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { Fault } from "../../../src/kernel/fault.ts";
import { startTestDaemon } from "../../support/daemon/daemon.ts";
import { runInstalled } from "../../support/daemon/installed-command.ts";
import { openMcpRig, REVIEW } from "../../support/daemon/mcp-rig.ts";
import { eventually } from "../../support/team/running-project.ts";

const LAUNCHER = join(import.meta.dirname, "../../../bin/agent-worker.js");
const FILES = {
  ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: Help. }\n",
};

const opened: Client[] = [];
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
});

/** The command as an MCP client starts it. */
async function bridge(env: Readonly<Record<string, string>>, cwd: string, mode: "legacy" | "modern" = "legacy") {
  const versionNegotiation = { mode: mode === "legacy" ? mode : { pin: "2026-07-28" } } as const;
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation });
  opened.push(client);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [LAUNCHER, "mcp"], env, cwd }));
  return client;
}

const sendTo = (client: Client, message: string) =>
  client.callTool({ name: "send", arguments: { to: "alice", message } });

test("[mcp.stdio] a person's coding agent uses the daemon through standard input and output, in both eras", async () => {
  await using daemon = await startTestDaemon({ files: FILES });
  for (const mode of ["legacy", "modern"] as const) {
    const client = await bridge(daemon.env, daemon.project, mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("workflow_start");
    const sent = await sendTo(client, `hello in ${mode}, ünïcode\u2028too`);
    expect(sent.structuredContent).toMatchObject({ recipients: [{ agent: "alice" }] });
    const unreadable = client.readResource({ uri: "agent-worker://documents/@nowhere/ü.md" });
    await expect(unreadable).rejects.toThrow(/nowhere/);
    await client.close();
  }
});

test("[mcp.stdio] with the token of a run it speaks as that agent", async () => {
  await using rig = await openMcpRig();
  using alice = await rig.openFor("alice");
  const url = new URL(rig.url).origin;
  const env = { PATH: process.env["PATH"] ?? "", AGENT_WORKER_URL: url, AGENT_WORKER_TOKEN: alice.token };
  const client = await bridge(env, rig.project.dir);
  const heard: string[] = [];
  client.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
  await client.subscribeResource({ uri: "agent-worker://inbox" });
  await client.callTool({ name: "channel_send", arguments: { message: "by the bridge" } });
  expect(await rig.project.said(REVIEW)).toContain("alice: by the bridge");
  await eventually("it listens", () => rig.project.events.subscribers > 0);
  await rig.project.send(REVIEW, "@alice are you there?");
  await eventually("it is told", () => heard.length >= 2);
  expect(new Set(heard)).toEqual(new Set(["notifications/mention", "notifications/resources/updated"]));
});

test("requests outlive the daemon: a new one is started, and nothing is lost or done twice", async () => {
  await using daemon = await startTestDaemon({ files: FILES, env: { AGENT_WORKER_TRUST: "" } });
  expect(await daemon.client.call("grant-trust", {})).toMatchObject({ ok: true });
  const client = await bridge(daemon.env, daemon.project);
  await sendTo(client, "one");
  await daemon.stop("SIGKILL");
  await using started = new AsyncDisposableStack();
  expect((await sendTo(client, "two")).isError).toBeUndefined();
  const next = await connectToDaemon({ home: daemon.home, projectDir: daemon.project });
  started.defer(() => next.shutdown());
  await sendTo(client, "three");
  const page = await next.call("peek-channel", { target: "alice" });
  const said = page.ok ? page.value.messages.filter(({ from }) => from === "user").map(({ content }) => content) : [];
  expect(said).toEqual(["one", "two", "three"]);
  await client.close();
});

test("a request waits for a daemon that is away, and is answered with an error when it does not come", async () => {
  await using rig = await openMcpRig();
  using alice = await rig.openFor("alice");
  const there = connectionOpener({
    env: { AGENT_WORKER_URL: new URL(rig.url).origin, AGENT_WORKER_TOKEN: alice.token },
  });
  const away = () => Promise.reject(new Fault("daemon_unreachable", "There is no daemon running."));
  const line = (id: number) => JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" });
  const carry = async (open: BridgeParts["open"], timeoutMs: number) => {
    const written: string[] = [];
    const lines = readLines(Readable.from([`${line(1)}\n`, line(2).slice(0, 9), `${line(2).slice(9)}\n`]));
    await bridgeMcp({ open, lines, write: (text) => written.push(text), clock: systemClock, timeoutMs });
    return written.map((text) => JSON.parse(text) as { id: number; result?: unknown; error?: unknown });
  };

  let tries = 0;
  const back = await carry(() => ((tries += 1) < 4 ? away() : there()), 60_000);
  expect(new Set(back.map(({ id }) => id))).toEqual(new Set([1, 2]));
  expect(back).toHaveLength(2);
  expect(back.every(({ result }) => result !== undefined)).toBe(true);
  expect(tries).toBe(5);

  const never = await carry(away, 0);
  expect(never).toHaveLength(2);
  expect(never[0]?.error).toEqual({ code: -32_000, message: "There is no daemon running." });
});

test("an answer that breaks off is an error, and what was asked is not sent again", async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    response.writeHead(200, { "content-type": "text/event-stream" }).write(": going on\n\n");
    request.resume().on("end", () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  try {
    const open = connectionOpener({ env: { AGENT_WORKER_URL: `http://127.0.0.1:${port}`, AGENT_WORKER_TOKEN: "any" } });
    const written: string[] = [];
    const lines = readLines(Readable.from(['{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"send"}}']));
    await bridgeMcp({ open, lines, write: (text) => written.push(text), clock: systemClock });
    expect(written.map((text) => JSON.parse(text) as unknown)).toEqual([
      {
        jsonrpc: "2.0",
        id: 5,
        error: { code: -32_000, message: expect.stringMatching(/may or may not have been done/) },
      },
    ]);
    expect(asked).toBe(1);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test("what cannot be answered is answered with an error, and nonsense too", async () => {
  await using daemon = await startTestDaemon({ files: FILES });
  const input = [
    "this is no JSON",
    '{"jsonrpc":"2.0","id":7,"method":"no/such","params":{}}',
    '{"jsonrpc":"2.0","id":"x","method":"tools/list"}',
    "",
  ].join("\n");
  const answer = await runInstalled(["mcp"], { cwd: daemon.project, env: daemon.env, input });
  expect(answer).toMatchObject({ exit: 0, err: "" });
  const messages = answer.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: unknown });
  expect(messages.find(({ id }) => id === null)).toMatchObject({ error: { code: -32_700 } });
  expect(messages.find(({ id }) => id === 7)).toMatchObject({ error: { code: -32_601 } });
  expect(messages.find(({ id }) => id === "x")).toMatchObject({ result: { tools: expect.any(Array) } });

  const wrong = { ...daemon.env, AGENT_WORKER_URL: daemon.url, AGENT_WORKER_TOKEN: "nobody" };
  const refused = await runInstalled(["mcp"], { cwd: daemon.project, env: wrong, input: `${input}\n` });
  expect(refused.out).toMatch(/"id":"x","error":\{"code":-32000,"message":"[^"]*token/);
});
