import { afterAll, beforeAll, expect, test } from "vitest";
import { workRequest } from "../../src/contract/service/work-request.ts";
import { createAgent } from "../../src/operations/agents/create-agent.ts";
import { sendMessage } from "../../src/operations/messages/send-message.ts";
import { openMcpRig, REVIEW, type McpRig } from "../support/daemon/mcp-rig.ts";
import { call } from "../support/team/project.ts";

let rig: McpRig;
beforeAll(async () => {
  rig = await openMcpRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** By what they are for. */
const TOOLS = {
  messages: [
    "channel_read",
    "send",
    "search",
    "inbox_read",
    "conversation_read",
    "dead_list",
    "dead_retry",
    "dead_drop",
  ],
  workflows: ["workflow_list", "workflow_definitions", "workflow_show", "workflow_start", "workflow_stop"],
  nodes: ["node_list"],
  agents: ["agent_list", "agent_show", "agent_create", "agent_delete", "soul_show", "soul_proposals", "feedback_list"],
  documents: [
    "document_list",
    "document_read",
    "document_create",
    "document_write",
    "document_append",
    "document_suggest",
    "suggestion_list",
    "suggestion_accept",
    "suggestion_reject",
    "resource_create",
    "resource_read",
  ],
  decisions: [
    "proposal_list",
    "proposal_show",
    "proposal_create",
    "proposal_vote",
    "proposal_cancel",
    "rule_list",
    "rule_add",
    "rule_remove",
    "grant_list",
    "space_list",
    "approval_list",
  ],
  memory: ["memory_list", "memory_search", "memory_get", "memory_set", "memory_forget", "ask_agent"],
  plans: ["note_list", "note_read", "note_add", "todo_list", "todo_add", "todo_done"],
  schedules: ["schedule_list", "schedule_set", "schedule_clear"],
  runs: ["run_list", "run_show", "timeline_show", "usage_show"],
};

test("[mcp.admin-tools] a person's token has the tools for agents, workflows and workspaces; a run's has not", async () => {
  using alice = await rig.openFor("alice");
  const [mine, ofRun] = [await rig.connect(rig.personToken, "modern"), await rig.connect(alice.token)];
  const names = (await mine.listTools()).tools.map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.values(TOOLS).flat().toSorted());
  for (const name of ["send", "agent_create", "workflow_start", "workflow_stop"]) {
    const refused = await ofRun.callTool({ name, arguments: { name: "eve", workflow: "review", target: "@review" } });
    expect(refused.isError, name).toBe(true);
  }
  expect(rig.project.definitions.agent("eve")).toBeUndefined();
});

test("agents are created, shown, listed and deleted", async () => {
  const client = await rig.connect(rig.personToken);
  const made = await client.callTool({
    name: "agent_create",
    arguments: { name: "carol", backend: "mock", system: "Write." },
  });
  expect(made.structuredContent).toMatchObject({ name: "carol" });
  const listed = await client.callTool({ name: "agent_list", arguments: {} });
  expect((listed.content as { text: string }[])[0]?.text).toContain("- name: carol\n");
  expect(JSON.stringify(listed.structuredContent)).toContain("carol");
  expect((await client.callTool({ name: "agent_show", arguments: { name: "carol" } })).isError).toBeUndefined();
  expect((await client.callTool({ name: "agent_delete", arguments: { name: "carol" } })).isError).toBeUndefined();
  const gone = await client.callTool({ name: "agent_show", arguments: { name: "carol" } });
  expect(gone).toMatchObject({ isError: true, structuredContent: { error: { code: "not_found" } } });
});

test("a workflow is started, shown and stopped", async () => {
  rig.project.write(".workflows/ship.yaml", "name: ship\nagents:\n  alice: { ref: alice }\nkickoff: '@alice begin'\n");
  const client = await rig.connect(rig.personToken);
  const started = await client.callTool({ name: "workflow_start", arguments: { workflow: "ship", tag: "v1" } });
  expect(started, JSON.stringify(started.content)).toMatchObject({
    structuredContent: { space: "@ship:v1", participants: ["alice"] },
  });
  expect(await rig.project.said("@ship:v1")).toContainEqual(expect.stringContaining("@alice begin"));
  const shown = await client.callTool({ name: "workflow_show", arguments: { target: "@ship:v1" } });
  expect(shown.structuredContent).toMatchObject({ state: "open" });
  const stopped = await client.callTool({ name: "workflow_stop", arguments: { target: "@ship:v1" } });
  expect(stopped.structuredContent).toMatchObject({ state: "closed" });
  const unknown = await client.callTool({ name: "workflow_start", arguments: { workflow: "shop" } });
  expect(unknown).toMatchObject({ isError: true, structuredContent: { error: { code: "not_found" } } });
});

test("says what it does not understand instead of ignoring it", async () => {
  const client = await rig.connect(rig.personToken);
  const misspelt = await client.callTool({ name: "send", arguments: { to: "alice", message: "hi", lanes: "normal" } });
  expect(misspelt.isError).toBe(true);
  expect(JSON.stringify(misspelt.content)).toMatch(/lanes/);
  const nobody = await client.callTool({ name: "send", arguments: { to: "alicia", message: "hi" } });
  expect(JSON.stringify(nobody.content)).toMatch(/Did you mean .*alice/);
});

test("a tool takes what its operation takes, and does what it does", async () => {
  const client = await rig.connect(rig.personToken);
  const { tools } = await client.listTools();
  const fields = (name: string) => Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {});
  expect(fields("send")).toEqual([...Object.keys(sendMessage.input.shape), "wait"]);
  expect(fields("agent_create")).toEqual(Object.keys(createAgent.input.shape));
  expect(new Set(fields("workflow_start"))).toEqual(new Set(Object.keys(workRequest.options[1].shape)));

  const byTool = await client.callTool({ name: "send", arguments: { to: "@review", message: "hello @alice" } });
  const direct = await call(rig.project, { kind: "person" }, sendMessage, { to: "@review", message: "hello @alice" });
  const { space, recipients } = byTool.structuredContent as Record<string, unknown>;
  expect(direct).toMatchObject({ ok: true, value: { space, recipients } });
  const read = await client.callTool({ name: "channel_read", arguments: { target: REVIEW } });
  const { messages } = read.structuredContent as { messages: { from: string; content: string }[] };
  const said = messages.filter(({ content }) => content === "hello @alice");
  expect(said.map(({ from }) => from)).toEqual(["user", "user"]);
});
