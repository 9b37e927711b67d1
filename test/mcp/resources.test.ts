import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMcpRig, REVIEW, type McpRig } from "../support/daemon/mcp-rig.ts";

let rig: McpRig;
beforeAll(async () => {
  rig = await openMcpRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

async function textOf(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  return first !== undefined && "text" in first ? String(first.text) : "";
}

test("an agent reads its inbox, its channel and the documents of its workspace as resources", async () => {
  using alice = await rig.openFor("alice");
  await rig.project.send(REVIEW, "@alice the build is red");
  for (const era of ["legacy", "modern"] as const) {
    const client = await rig.connect(alice.token, era);
    await client.callTool({ name: "team_doc_write", arguments: { content: `written in ${era}` } });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "agent-worker://inbox",
      "agent-worker://channel",
      "agent-worker://documents/notes.md",
    ]);
    expect(JSON.parse(await textOf(client, "agent-worker://inbox"))).toMatchObject({
      deliveries: [{ agent: "alice", message: { content: "@alice the build is red" } }],
    });
    expect(await textOf(client, "agent-worker://channel")).toContain("the build is red");
    expect(await textOf(client, "agent-worker://documents/notes.md")).toBe(`written in ${era}`);
  }
});

test("(F19) another's inbox, another workspace and what is not there are refused", async () => {
  using alice = await rig.openFor("alice");
  const client = await rig.connect(alice.token);
  const refused = [
    ["agent-worker://inbox/bob", /its own inbox/],
    ["agent-worker://inbox/bob@review", /its own inbox/],
    ["agent-worker://channel/@other", /alice|@other/],
    ["agent-worker://documents/..%2F..%2F..%2Fmoniro.yaml", /./],
    ["agent-worker://documents/nowhere.md", /nowhere\.md/],
    ["agent-worker://documents", /not found/],
    ["agent-worker://secrets", /not found/],
    ["agent-worker://inbox/%ZZ", /not found/],
    ["file:///etc/passwd", /not found/],
  ] as const;
  for (const [uri, said] of refused) {
    await expect(client.readResource({ uri }), uri).rejects.toThrow(said);
  }
});

test("a person reads the inbox and the channel of any target, by templates", async () => {
  await rig.project.send(REVIEW, "@bob have a look");
  const client = await rig.connect(rig.personToken, "modern");
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    "agent-worker://inbox/{target}",
    "agent-worker://channel/{target}",
    "agent-worker://documents/{target}/{file}",
  ]);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(["agent-worker://channel/@review:main"]);
  expect(await textOf(client, "agent-worker://inbox/bob@review")).toContain("have a look");
  expect(await textOf(client, "agent-worker://channel/%40review")).toContain("have a look");
  await expect(client.readResource({ uri: "agent-worker://inbox" })).rejects.toThrow(/Whose inbox/);
});
