import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { openDaemon } from "../../src/daemon/daemon.ts";
import { TEAM_TOOL_NAMES } from "../../src/domain/agent/team-tool-names.ts";
import { scriptedEngine } from "../../src/testing/scripted-engine.ts";
import { value } from "../support/result.ts";
import { plantedProject } from "../support/team/planted-project.ts";

/** What a program of an engine finds when it comes for the tools of its run. */
interface Seen {
  readonly offered: readonly string[];
  readonly listed: readonly string[];
  /** Tools of the team it was not offered, and a person's: what calling them gave. */
  readonly refused: readonly [string, boolean][];
}

const OF_PERSONS = ["send", "agent_create", "agent_delete", "workflow_start"];

describe("the tools of a run, as a program of its own reaches them", () => {
  it("are those the agent may use, and no other can be called [tool.authorised]", async () => {
    using folder = plantedProject({
      ".agents/alice.yaml": "name: alice\nbackend: claude\nprompt: { system: Work. }\n",
      ".workflows/pair.yaml": [
        "name: pair",
        "agents: { alice: { ref: alice }, guest: { backend: claude, prompt: { system: Visit. } } }",
        "kickoff: '@alice @guest begin'",
        "",
      ].join("\n"),
    });
    const seen = new Map<string, Seen>();
    const engine = scriptedEngine(async ({ agent, asked, spec }) => {
      const { url = "", token = "" } = spec.endpoint ?? {};
      const client = new Client({ name: "program", version: "1" });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      const listed = (await client.listTools()).tools.map(({ name }) => name);
      // Earlier names of tools that the agent has are not listed and still work.
      const usable = [...listed, ...(spec.tools.unlisted?.() ?? [])];
      const others = [...TEAM_TOOL_NAMES, ...OF_PERSONS].filter((name) => !usable.includes(name));
      const refused: [string, boolean][] = [];
      for (const name of others) {
        const { isError } = await client.callTool({ name, arguments: {} });
        refused.push([name, isError === true]);
      }
      await client.close();
      const where = asked.includes("directly") ? "directly" : "in the workspace";
      seen.set(`${agent} ${where}`, { listed, offered: spec.tools.list().map(({ name }) => name), refused });
      return "";
    });
    await using daemon = await openDaemon({
      trustsAll: true,
      home: `${folder.root}/home`,
      projectDir: folder.root,
      env: {},
      engines: new Map([["claude", engine]]),
    });
    using client = await createClient({ url: daemon.url, token: daemon.token });
    value(await client.serve({ workflow: "pair" }));
    value(await client.serve({ agent: "alice", message: "and directly?" }));

    for (const [who, { listed, offered, refused }] of seen) {
      expect(listed, who).toEqual(offered);
      expect(refused.length, who).toBeGreaterThanOrEqual(OF_PERSONS.length);
      expect(
        refused.filter(([, isError]) => !isError),
        who,
      ).toEqual([]);
    }
    const toolsOf = (who: string) => seen.get(who)?.listed ?? [];
    expect([...seen.keys()].toSorted()).toEqual(["alice directly", "alice in the workspace", "guest in the workspace"]);
    expect(toolsOf("alice in the workspace")).toEqual(expect.arrayContaining(["proposal_vote", "memory_store"]));
    expect(toolsOf("guest in the workspace")).toContain("proposal_vote");
    expect(toolsOf("guest in the workspace")).not.toContain("memory_store");
    expect(toolsOf("alice directly")).toContain("memory_store");
    expect(toolsOf("alice directly")).not.toContain("proposal_vote");
  });
});
