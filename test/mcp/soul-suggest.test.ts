import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMcpRig, REVIEW, type McpRig } from "../support/daemon/mcp-rig.ts";

let rig: McpRig;
beforeAll(async () => {
  rig = await openMcpRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

test("[soul.suggest] a run suggests over MCP and has no tool to decide; a person's tools only look", async () => {
  using alice = await rig.openFor("alice", REVIEW, { tools: ["team", "soul_suggest"] });
  const [run, mine] = [await rig.connect(alice.token), await rig.connect(rig.personToken)];
  const definition = readFileSync(join(rig.project.dir, ".agents/alice.yaml"), "utf8");
  const suggested = await run.callTool({
    name: "soul_suggest",
    arguments: { observation: "I keep asking why", change: { trait: "principles", add: "Ask why" } },
  });
  expect(suggested).toMatchObject({
    content: [{ type: "text", text: expect.stringMatching(/^Suggested as sol_.*A person decides/) }],
    structuredContent: { state: "open", change: { kind: "add", trait: "principles", value: "Ask why" } },
  });
  const tools = (await run.listTools()).tools.map(({ name }) => name);
  expect(tools.filter((name) => name.includes("soul"))).toEqual(["soul_suggest"]);
  const listed = await mine.callTool({ name: "soul_proposals", arguments: {} });
  expect(listed.structuredContent).toMatchObject({ proposals: [{ agent: "alice", source: "agent" }] });
  const shown = await mine.callTool({ name: "soul_show", arguments: { agent: "alice" } });
  expect(shown.structuredContent).toMatchObject({ soul: {}, version: 0, open: 1 });
  const decides = (await mine.listTools()).tools
    .map(({ name }) => name)
    .filter((name) => /soul_(?!show|proposals)/.test(name));
  expect(decides).toEqual([]);
  expect(existsSync(join(rig.project.dir, ".agents/alice/soul.yaml"))).toBe(false);
  expect(readFileSync(join(rig.project.dir, ".agents/alice.yaml"), "utf8")).toBe(definition);
});
