import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAgent } from "../../src/operations/agents/create-agent.ts";
import { teamTools } from "../../src/operations/tools/team-tools.ts";
import { recordingTools, success } from "../../src/testing/recording-tools.ts";
import { openMcpRig, REVIEW, type McpRig } from "../support/daemon/mcp-rig.ts";
import { agentCaller } from "../support/team/agent-caller.ts";
import { callOk } from "../support/team/project.ts";

let rig: McpRig;
beforeAll(async () => {
  rig = await openMcpRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const ERAS = ["legacy", "modern"] as const;

test("[mcp.one-endpoint] one address serves agents and people, each with the tools of its token", async () => {
  using alice = await rig.openFor("alice");
  using bob = await rig.openFor("bob", "bob");
  const names = async (token: string) => (await (await rig.connect(token)).listTools()).tools.map(({ name }) => name);
  const [inWorkspace, inDirect, person] = await Promise.all([alice.token, bob.token, rig.personToken].map(names));
  expect(inWorkspace).toContain("proposal_vote");
  expect(inDirect).not.toContain("proposal_vote");
  expect(inDirect).toContain("channel_send");
  expect(person).toContain("agent_create");
  expect(person).not.toContain("my_inbox");
});

test("[mcp.deterministic-list] lists exactly the tools of the run, in their order, the same every time", async () => {
  using alice = await rig.openFor("alice");
  const standing = { personal: true, channel: true, definition: {} };
  const offered = teamTools(agentCaller("alice", REVIEW), standing).map(({ name }) => name);
  for (const era of ERAS) {
    const client = await rig.connect(alice.token, era);
    const first = await client.listTools();
    expect(first.tools.map(({ name }) => name)).toEqual(offered);
    expect((await client.listTools()).tools).toEqual(first.tools);
  }
});

test("says of every tool what a client may assume", async () => {
  using alice = await rig.openFor("alice");
  const { tools } = await (await rig.connect(alice.token)).listTools();
  const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
  expect(hints.get("my_inbox")).toEqual({ readOnlyHint: true, openWorldHint: false });
  expect(hints.get("channel_send")).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  expect(hints.get("channel_read")).toMatchObject({ readOnlyHint: false });
  expect(hints.get("team_doc_write")).toMatchObject({ destructiveHint: true, idempotentHint: true });
  expect(tools.find(({ name }) => name === "my_inbox")?.title).toBe("My inbox");
});

describe("[mcp.structured] answers in words and as data", () => {
  test.each(ERAS)("for clients of the %s era", async (era) => {
    using alice = await rig.openFor("alice");
    const client = await rig.connect(alice.token, era);
    const sent = await client.callTool({ name: "channel_send", arguments: { message: "look, @bob" } });
    expect(sent).toMatchObject({
      content: [{ type: "text", text: expect.stringMatching(/^Sent as msg_/) }],
      structuredContent: { space: REVIEW, recipients: [{ agent: "bob", lane: "immediate" }] },
    });
    expect(sent.isError).toBeUndefined();

    const wrong = await client.callTool({ name: "channel_send", arguments: { massage: "look" } });
    expect(wrong).toMatchObject({ isError: true, structuredContent: { error: { code: "invalid" } } });
    expect(JSON.stringify(wrong.content)).toMatch(/channel_send takes: message \(required\)/);

    const refused = await client.callTool({ name: "channel_send", arguments: { message: "psst", to: "carol" } });
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: "not_participant" } } });

    const unknown = await client.callTool({ name: "chanel_send", arguments: {} });
    expect(unknown.isError).toBe(true);
    expect(JSON.stringify(unknown.content)).toMatch(/no tool called .*Did you mean .*channel_send/);
  });

  test("numbers sent as text are taken as numbers", async () => {
    using alice = await rig.openFor("alice");
    const client = await rig.connect(alice.token);
    const peeked = await client.callTool({ name: "channel_peek", arguments: { limit: "1" } });
    expect(peeked.isError).toBeUndefined();
  });
});

test("[mcp.identity] who calls is what the token says, whatever else the request claims", async () => {
  using bob = await rig.openFor("bob");
  const call = (message: string) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "channel_send", arguments: { message }, _meta: { agent: "alice", "agent-worker/agent": "alice" } },
  });
  const claims = { "x-agent-worker-agent": "alice", "mcp-session-id": "alice", "user-agent": "alice" };
  const posted = await rig.post(bob.token, call("by headers and meta"), claims);
  expect(posted.status).toBe(200);
  const asQuery = await fetch(`${rig.url}?agent=alice&token=${rig.personToken}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${bob.token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({ ...call("by query"), params: { name: "channel_send", arguments: { message: "by query" } } }),
  });
  await asQuery.text();
  const messages = await rig.project.messages(REVIEW);
  const said = messages.filter(({ body }) => body.startsWith("by "));
  expect(said.length).toBeGreaterThan(0);
  expect(said.map(({ sender }) => sender)).toEqual(said.map(() => "bob"));
});

test("[mcp.channel-tools] channel tools work as the operations do", async () => {
  using alice = await rig.openFor("alice");
  using bob = await rig.openFor("bob");
  const [a, b] = [await rig.connect(alice.token), await rig.connect(bob.token, "modern")];
  const { structuredContent } = await a.callTool({
    name: "channel_send",
    arguments: { message: "the plan is ready", idempotency_key: "plan" },
  });
  const again = await a.callTool({
    name: "channel_send",
    arguments: { message: "the plan is ready", idempotency_key: "plan" },
  });
  expect(again.structuredContent).toMatchObject({ ...(structuredContent as object), duplicate: true });
  for (const tool of ["channel_peek", "channel_read"]) {
    const page = await b.callTool({ name: tool, arguments: { limit: 5 } });
    expect(JSON.stringify(page.structuredContent)).toContain("the plan is ready");
    expect(JSON.stringify(page.content)).toContain("the plan is ready");
  }
});

test("[mcp.inbox-tools] an agent sees and acks its own deliveries only", async () => {
  await rig.project.send(REVIEW, "@alice and @bob, please look");
  using alice = await rig.openFor("alice");
  using bob = await rig.openFor("bob");
  const inbox = async (token: string) => {
    const { structuredContent } = await (await rig.connect(token)).callTool({ name: "my_inbox", arguments: {} });
    return (structuredContent as { deliveries: { id: string; agent: string }[] }).deliveries;
  };
  const [ofAlice, ofBob] = [await inbox(alice.token), await inbox(bob.token)];
  expect(new Set(ofAlice.map(({ agent }) => agent))).toEqual(new Set(["alice"]));
  expect(new Set(ofBob.map(({ agent }) => agent))).toEqual(new Set(["bob"]));

  const client = await rig.connect(alice.token);
  const foreign = await client.callTool({ name: "my_inbox_ack", arguments: { ids: [ofBob[0]?.id] } });
  expect(foreign.isError).toBe(true);
  expect(await inbox(bob.token)).toEqual(ofBob);
  const aimed = await client.callTool({ name: "my_inbox", arguments: { target: "bob" } });
  expect(aimed.isError).toBe(true);
});

test("[mcp.document-tools] [mcp.resource-tools] documents and resources are those of the run's workspace", async () => {
  using alice = await rig.openFor("alice");
  const client = await rig.connect(alice.token);
  const ok = async (name: string, args: Record<string, unknown>) => {
    const answer = await client.callTool({ name, arguments: args });
    expect(answer.isError, JSON.stringify(answer.content)).toBeUndefined();
    return answer.structuredContent as Record<string, unknown>;
  };
  await ok("team_doc_write", { content: "# Notes\n" });
  await ok("team_doc_append", { content: "one more\n" });
  await ok("team_doc_create", { file: "plan.md", content: "first\n" });
  expect(await ok("team_doc_read", {})).toMatchObject({ space: REVIEW, file: "notes.md" });
  expect(JSON.stringify(await ok("team_doc_list", {}))).toContain("plan.md");
  const outside = await client.callTool({ name: "team_doc_read", arguments: { file: "../../../moniro.yaml" } });
  expect(outside).toMatchObject({ isError: true });

  const { id } = await ok("resource_create", { content: "a long text" });
  expect(JSON.stringify(await ok("resource_read", { id }))).toContain("a long text");
});

test("[mcp.proposal-tools] a ballot is created, voted on, shown and cancelled", async () => {
  using alice = await rig.openFor("alice", REVIEW, { tools: ["full"] });
  using bob = await rig.openFor("bob", REVIEW, { tools: ["full"] });
  const [a, b] = [await rig.connect(alice.token), await rig.connect(bob.token, "modern")];
  const created = await a.callTool({
    name: "proposal_create",
    arguments: { type: "decision", title: "Tabs?", options: ["tabs", "spaces"] },
  });
  const { id } = created.structuredContent as { id: string };
  await a.callTool({ name: "proposal_vote", arguments: { id, option: "spaces" } });
  const voted = await b.callTool({ name: "proposal_vote", arguments: { id, option: "spaces", reason: "as ever" } });
  expect(voted.structuredContent).toMatchObject({ state: "resolved" });
  expect((await b.callTool({ name: "proposal_status", arguments: { id } })).isError).toBeUndefined();

  const other = await a.callTool({ name: "proposal_create", arguments: { type: "approval", title: "Ship?" } });
  const second = (other.structuredContent as { id: string }).id;
  expect((await b.callTool({ name: "proposal_cancel", arguments: { id: second } })).isError).toBe(true);
  const cancelled = await a.callTool({ name: "proposal_cancel", arguments: { id: second } });
  expect(cancelled.structuredContent).toMatchObject({ state: "cancelled" });
});

test("[security.run-token] the token of a run is good for that run only, and dies with it", async () => {
  const alice = await rig.openFor("alice");
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  expect((await rig.post(alice.token, list)).status).toBe(200);
  const otherProject = { "x-agent-worker-project": encodeURIComponent("/somewhere/else") };
  expect((await rig.post(alice.token, list, otherProject)).status).toBe(403);
  alice[Symbol.dispose]();
  expect((await rig.post(alice.token, list)).status).toBe(401);
});

test("a call that needs approval says so, and is the same call when it is made again", async () => {
  const ids: string[] = [];
  const tools = recordingTools({
    bash: (_args, { id }) => {
      ids.push(id);
      return ids.length === 1 ? { kind: "approval", approval: "apr_1" } : success("done");
    },
  });
  using run = rig.open({
    caller: { kind: "agent", name: "alice", space: REVIEW, run: null, cause: null, operations: new Set<string>() },
    tools,
  });
  const client = await rig.connect(run.token);
  const waiting = await client.callTool({ name: "bash", arguments: { command: "make" } });
  expect(waiting).toMatchObject({ isError: true, structuredContent: { approval: "apr_1" } });
  const done = await (await rig.connect(run.token)).callTool({ name: "bash", arguments: { command: "make" } });
  expect(done.content).toEqual([{ type: "text", text: "done" }]);
  await client.callTool({ name: "bash", arguments: { command: "make clean" } });
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test("a tool that breaks is the log's affair: the client learns that it broke, and no more", async () => {
  const tools = recordingTools({
    broken: () => {
      throw new Error("secret inner words");
    },
  });
  using run = rig.open({
    caller: { kind: "agent", name: "alice", space: REVIEW, run: null, cause: null, operations: new Set<string>() },
    tools,
  });
  for (const era of ERAS) {
    const client = await rig.connect(run.token, era);
    const broken = client.callTool({ name: "broken", arguments: {} });
    await expect(broken).rejects.toThrow(/broken failed inside the daemon/);
    await expect(broken).rejects.not.toThrow(/secret inner words/);
  }
});

test("an agent that was made after the daemon started has its tools as well", async () => {
  await callOk(rig.project, { kind: "person" }, createAgent, { name: "dora", backend: "mock", system: "Help." });
  using dora = await rig.openFor("dora", "dora");
  const { tools } = await (await rig.connect(dora.token)).listTools();
  expect(tools.map(({ name }) => name)).toContain("memory_store");
});
