import { cpSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineProposal } from "../../../src/daemon/public-api.ts";
import { openTestTeam } from "../../../src/testing/test-team.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { agentOn, MODEL_ENV, startScriptedModel, type ScriptedModel } from "../../support/security/scripted-model.ts";
import { proposalFile } from "../../support/team/own-proposals.ts";
import { workflowFile } from "../../support/team/team.ts";

const LAUNCHER = join(import.meta.dirname, "../../../bin/agent-worker.js");
const EXAMPLE = join(import.meta.dirname, "../../../examples/merge-gate");

let model: ScriptedModel;
let daemon: CommandedDaemon;
beforeAll(async () => {
  const add = { name: "add", args: { n: "2" } };
  model = await startScriptedModel({
    "add-now": [add, add],
    "add-secretly": [add, { name: "persons_only", args: {} }],
  });
  const count = `const before = Number((await ctx.state.get()) ?? 0);
    await ctx.state.set(before + n); return { total: before + n, by: ctx.caller.name, kind: ctx.caller.kind };`;
  daemon = await startCommandedDaemon({
    files: {
      ".agents/alice.yaml": agentOn(model, "alice"),
      ".agents/denied.yaml": agentOn(model, "denied", "permissions: { deny: [add] }\n"),
      ".agents/chosen.yaml": agentOn(model, "chosen", "tools: [add]\n"),
      ".agents/other.yaml": agentOn(model, "other", "tools: [channel_send]\n"),
      ...workflowFile("review", "agents: { alice: alice, denied: denied, chosen: chosen, other: other }\n"),
      ".agents/proposals/add.ts": proposalFile("add", count),
      ".agents/proposals/persons.ts": proposalFile("persons_only", "return n;").replace('"everyone"', '"person"'),
    },
    env: MODEL_ENV,
  });
  await daemon.run(["start", "review"]);
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const toolsOf = (word: string): string[] => {
  const request = model.requests.find((each) => JSON.stringify(each.body).includes(word));
  const { tools = [] } = (request?.body ?? {}) as { tools?: { name: string }[] };
  return tools.map(({ name }) => name);
};

describe("an own proposal", () => {
  it("is a tool that an agent calls, as itself, in the space of its run [own.everywhere]", async () => {
    expect(await daemon.run(["send", "alice@review", "add-now please", "--wait"])).toMatchObject({ exit: 0 });
    expect(model.results().slice(0, 2)).toEqual([
      expect.stringMatching(/"total": 2[^]*"by": "alice"[^]*"kind": "agent"/),
      expect.stringContaining('"total": 4'),
    ]);
    expect(await daemon.json(["call", "add", '{"n":1,"target":"@review"}'])).toMatchObject({ total: 5, by: "user" });
  });

  it("is offered as its access and the definition of the agent say [own.rights]", async () => {
    const agents = ["alice", "denied", "chosen", "other"];
    for (const agent of agents) await daemon.run(["send", agent, `add-secretly as-${agent}`, "--wait"]);
    const offered = agents.map((agent) => [
      agent,
      toolsOf(`as-${agent}`).filter((name) => name === "add" || name === "persons_only"),
    ]);
    expect(Object.fromEntries(offered)).toEqual({ alice: ["add"], denied: [], chosen: ["add"], other: [] });
    const refusedCalls = model.results().filter((text) => text.includes("persons_only"));
    expect(refusedCalls.length).toBeGreaterThan(0);
    for (const text of refusedCalls) expect(text).toContain("There is no tool");
    expect(await daemon.json(["call", "add", '{"n":0}'])).toMatchObject({ total: 0 });
  });

  it("is a tool of a person's coding agent, which says where it acts [own.everywhere]", async () => {
    const client = new Client({ name: "test", version: "1" });
    const { env, project: cwd } = daemon;
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [LAUNCHER, "mcp"], env, cwd }));
    try {
      const { tools } = await client.listTools();
      expect(tools.slice(-2).map(({ name }) => name)).toEqual(["add", "persons_only"]);
      expect(tools.at(-1)?.inputSchema.properties).toMatchObject({ n: {}, target: {} });
      const answer = await client.callTool({ name: "add", arguments: { n: 3, target: "@review" } });
      expect(answer.structuredContent).toMatchObject({ total: 8, by: "user" });
    } finally {
      await client.close();
    }
  });

  it("goes on after a restart of the daemon with what it had stored [own.compose]", async () => {
    await daemon.stop("SIGTERM");
    const again = await daemon.restart({ env: MODEL_ENV });
    daemon = { ...daemon, ...again };
    const made = await again.client.propose("add", { n: 0, target: "@review" });
    expect(made).toMatchObject({ ok: true, value: { total: 8 } });
  });
});

describe("a program around the daemon", () => {
  it("gives proposals, beside those of the project's files, which agents use [own.embedded]", async () => {
    const given = defineProposal({
      name: "given",
      summary: "Given by the program.",
      input: z.object({ word: z.string() }),
      access: { agents: ["alice"], person: true },
      execute: ({ word }, { caller }) => `${word} for ${caller.name}`,
    });
    await using team = await openTestTeam({
      files: { ".agents/alice.yaml": "name: alice\nbackend: mock\ntools: [given]\nprompt: { system: Hi }\n" },
      proposals: [given],
      script: async ({ call }) => {
        const outcome = await call("given", { word: "something" });
        return outcome.kind === "result" ? outcome.content : "";
      },
    });
    const answer = await team.client.serve({ agent: "alice", message: "please" });
    expect(answer).toMatchObject({ ok: true, value: { content: "something for alice" } });
    expect(await team.client.propose("given", { word: "this" })).toEqual({ ok: true, value: "this for user" });
  });
});

describe("the documented merge gate", () => {
  it("opens with two approvals and a green test run, and not with less [own.example]", async () => {
    await using gate = await startCommandedDaemon();
    cpSync(EXAMPLE, gate.project, { recursive: true });
    expect(await gate.run(["run", "change"])).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/pr-12 may be merged: green, approved by (ann and ben|ben and ann)\./),
    });
    await gate.run(["start", "change"]);
    const approve = () => gate.run(["call", "merge_gate", '{"change":"pr-13","target":"@change"}']);
    for (let times = 0; times < 2; times += 1) {
      expect(JSON.parse((await approve()).out)).toEqual({ change: "pr-13", approvals: ["user"], open: false });
    }
    gate.write("sum.js", "export const sum = () => 0;\n");
    const red = await approve();
    expect(red).toMatchObject({ exit: 3, err: expect.stringContaining("The tests of pr-13 fail.") });
  });
});
