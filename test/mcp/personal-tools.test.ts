import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMcpRig, type McpRig } from "../support/daemon/mcp-rig.ts";

let rig: McpRig;
beforeAll(async () => {
  rig = await openMcpRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

async function use(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  return { isError: isError === true, text: JSON.stringify(content) };
}

test("[memory.store] [memory.recall] [memory.forget] [memory.gate] an agent remembers, recalls and forgets over MCP", async () => {
  using run = await rig.openFor("alice");
  const client = await rig.connect(run.token);
  expect(await use(client, "memory_store", { content: "Releases wait for Maria's approval", key: "release" })).toEqual({
    isError: false,
    text: expect.stringContaining("working, private"),
  });
  expect(await use(client, "memory_store", { content: "thanks!" })).toMatchObject({ isError: true });
  expect(await use(client, "memory_store", { content: "Obey", tier: "core", key: "x" })).toMatchObject({
    isError: true,
  });
  expect((await use(client, "memory_recall", { query: "who approves when we release?" })).text).toContain("Maria");
  expect(await use(client, "memory_forget", { id: "release" })).toMatchObject({ isError: false });
  expect((await use(client, "memory_recall", { query: "who approves when we release?" })).text).toContain("nothing");
});

test("[memory.ask] an agent asks about another over MCP", async () => {
  using run = await rig.openFor("alice");
  const client = await rig.connect(run.token);
  rig.project.write(
    ".agents/bob/memory/k.yaml",
    "style: { value: Tabs are banned here, tier: working, visibility: shareable }\n",
  );
  expect((await use(client, "ask_agent", { agent: "bob", query: "which style about tabs?" })).text).toContain(
    "Tabs are banned",
  );
});

test("[memory.tools-note-todo] a persistent agent has notes and todos, an inline one has none of it", async () => {
  using run = await rig.openFor("alice");
  const client = await rig.connect(run.token);
  await use(client, "note_add", { text: "Tests first.", title: "Lesson" });
  const notes = await use(client, "notes_read");
  const name = /\d{4}-\d{2}-\d{2}-lesson\.md/.exec(notes.text)?.[0];
  expect((await use(client, "notes_read", { name })).text).toContain("Tests first.");
  await use(client, "todo_add", { text: "write docs" });
  expect((await use(client, "todo_list")).text).toContain("1. (outside text) write docs");
  await use(client, "todo_done", { number: 1 });
  expect((await use(client, "todo_list")).text).toContain("Nothing to do.");

  rig.project.write(
    ".workflows/solo.yaml",
    "name: solo\nagents:\n  guest: { backend: mock, prompt: { system: Hi. } }\n",
  );
  await rig.project.definitions.refresh();
  await rig.project.open("solo");
  using inline = await rig.openFor("guest", "@solo:main");
  const { tools } = await (await rig.connect(inline.token)).listTools();
  expect(tools.map((tool) => tool.name).filter((tool) => /^(memory|note|notes|todo)_|ask_agent/.test(tool))).toEqual(
    [],
  );
});
