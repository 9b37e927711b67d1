import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { listAgents } from "../../../src/operations/agents/list-agents.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { beatNode } from "../../../src/operations/nodes/beat-node.ts";
import { joinNode } from "../../../src/operations/nodes/join-node.ts";
import { listNodes } from "../../../src/operations/nodes/list-nodes.ts";
import { settleRun } from "../../../src/operations/runs/settle-run.ts";
import { LEASE_MS, nodeOn } from "../../support/cluster/node-on-store.ts";
import { runRecord, send } from "../../support/team/leased-run.ts";
import { callOk, callRefused } from "../../support/team/project.ts";
import { agentFile, openTeam } from "../../support/team/team.ts";

describe("nodes on one store", () => {
  it("[node.lease] leave each other's runs alone while they beat, and take them over when the lease is over", async () => {
    await using project = await openTeam();
    const a = nodeOn(project, "a");
    const b = nodeOn(project, "b");
    await a.join();
    await b.join();
    await send(project, "alice", "hello");
    const begun = await a.holder.begin("alice");
    await a.holder.step(begun, 1);
    expect(await b.holder.recover()).toEqual({ runs: 0, buried: 0 });

    project.clock.advance(LEASE_MS);
    await a.beat();
    project.clock.advance(LEASE_MS);
    expect(await b.beat()).toEqual({ runs: 0, buried: 0 });
    project.clock.advance(1);
    expect(await b.beat()).toEqual({ runs: 1, buried: 0 });

    const taken = await b.holder.begin("alice");
    expect(taken).toMatchObject({ run: { id: begun.run.id, leaseOwner: b.instance }, finishedSteps: 1 });
    // The node was only cut off: it is back, and its late result is refused.
    await a.beat();
    const late = { run: begun.run.id, space: begun.run.space, leaseOwner: a.instance, fence: begun.run.fence };
    const result = { kind: "done", text: "late" } as const;
    expect(await callRefused(a.project, systemCaller, settleRun, { ...late, result })).toMatchObject({
      code: "lease_lost",
    });
    await b.holder.succeed(taken, "mine");
    expect(await runRecord(project, begun)).toMatchObject({ state: "ended", outcome: "answered", detail: "mine" });
  });

  it("[node.leave] take over at once what a node left that stopped, and what one had that was replaced", async () => {
    await using project = await openTeam();
    const a = nodeOn(project, "a");
    const b = nodeOn(project, "b");
    await a.join();
    await b.join();
    await send(project, "alice", "hello");
    await a.holder.begin("alice");
    await a.leave();
    expect(await b.beat()).toEqual({ runs: 1, buried: 0 });

    await send(project, "bob", "hello");
    await b.holder.begin("bob");
    const again = nodeOn(project, "b", { machine: "machine-b", instance: "own_b_again" });
    await again.join();
    expect(await again.beat()).toEqual({ runs: 1, buried: 0 });
  });

  it("[node.name] refuse a second one of the same name while the first is there", async () => {
    await using project = await openTeam();
    const first = nodeOn(project, "a");
    const second = nodeOn(project, "a", { machine: "elsewhere", instance: "own_second" });
    await first.join();
    expect(await callRefused(second.project, systemCaller, joinNode, { leaseMs: LEASE_MS })).toMatchObject({
      code: "conflict",
      hint: expect.stringContaining("--node"),
    });
    project.clock.advance(LEASE_MS + 1);
    await second.join();
    expect(await callRefused(first.project, systemCaller, beatNode, {})).toMatchObject({ code: "lease_lost" });
  });

  it("[node.list] are listed with what they run, and agents with where they run", async () => {
    await using project = await openTeam();
    const a = nodeOn(project, "a", { labels: ["gpu"] });
    const b = nodeOn(project, "b");
    await a.join();
    project.clock.advance(5);
    await b.join();
    await send(project, "alice", "hello");
    await b.holder.begin("alice");
    const { nodes } = await callOk(a.project, person, listNodes, {});
    expect(nodes).toMatchObject([
      { name: "a", state: "live", self: true, lead: true, labels: ["gpu"], running: [] },
      { name: "b", state: "live", self: false, lead: false, running: ["alice"] },
    ]);
    const { agents } = await callOk(a.project, person, listAgents, {});
    expect(agents.find(({ name }) => name === "alice")).toMatchObject({ state: "running", node: "b" });
    project.clock.advance(LEASE_MS);
    await a.beat();
    project.clock.advance(1);
    expect((await callOk(a.project, person, listNodes, {})).nodes).toMatchObject([{ name: "a" }, { state: "away" }]);
  });
});

describe("an agent with runs_on", () => {
  it("[node.placement] runs only where it may, and waits visibly while that node is away", async () => {
    await using project = await openTeam({ files: agentFile("alice", "runs_on: { node: b, labels: [gpu] }\n") });
    const a = nodeOn(project, "a");
    const b = nodeOn(project, "b", { labels: ["gpu", "big"] });
    await a.join();
    await send(project, "alice", "hello");
    await send(project, "bob", "hello");
    expect(await a.holder.next("alice")).toBeNull();
    expect(await a.holder.next("bob")).not.toBeNull();
    const { obstacles } = await callOk(a.project, person, readInbox, { target: "alice" });
    expect(obstacles).toEqual([expect.stringMatching(/alice waits for a node.*b: no node of this name has joined/)]);
    const { unplaced } = await callOk(a.project, person, listAgents, {});
    expect(unplaced).toMatchObject([{ agent: "alice" }]);

    await b.join();
    expect((await b.holder.begin("alice")).run.leaseOwner).toBe(b.instance);
    expect((await callOk(a.project, person, listAgents, {})).unplaced).toEqual([]);
  });

  it("[node.placement] runs only on a node that has its engine", async () => {
    await using project = await openTeam();
    const a = nodeOn(project, "a", { engines: ["sdk"] });
    await a.join();
    await send(project, "alice", "hello");
    expect(await a.holder.next("alice")).toBeNull();
    const { obstacles } = await callOk(a.project, person, readInbox, { target: "alice" });
    expect(obstacles).toEqual([expect.stringContaining('a: it does not have the engine "mock"')]);
  });

  it("[node.definitions] does not run on a node whose files say something else, and the difference is shown", async () => {
    await using project = await openTeam();
    const a = nodeOn(project, "a", { definitions: { alice: "prompt:1111", bob: "prompt:2222" } });
    const b = nodeOn(project, "b", { definitions: { alice: "prompt:9999", bob: "prompt:2222" } });
    await a.join();
    project.clock.advance(5);
    await b.join();
    await a.beat();
    await send(project, "alice", "hello");
    await send(project, "bob", "hello");
    expect(await b.holder.next("alice")).toBeNull();
    expect(await b.holder.next("bob")).not.toBeNull();
    const { nodes } = await callOk(a.project, person, listNodes, {});
    expect(nodes.map(({ name, differs }) => [name, differs])).toEqual([
      ["a", []],
      ["b", [{ agent: "alice", keys: ["prompt"] }]],
    ]);
    expect(await a.holder.next("alice")).not.toBeNull();
  });

  it("[node.definitions] is not taken for removed by a node that has no file of it", async () => {
    await using project = await openTeam();
    const a = nodeOn(project, "a", { definitions: { alice: "1111" } });
    const b = nodeOn(project, "b", { definitions: {} });
    await a.join();
    await b.join();
    await send(project, "alice", "hello");
    expect(await b.holder.next("alice")).toBeNull();
    expect(await a.holder.next("alice")).not.toBeNull();
  });

  it("[node.worktree] with a worktree stays on the node that has it", async () => {
    const writes = "permissions: { mode: project }\nworktree: true\n";
    await using project = await openTeam({ files: agentFile("alice", writes) });
    const a = nodeOn(project, "a");
    const b = nodeOn(project, "b");
    await a.join();
    await b.join();
    await send(project, "alice", "one");
    const first = await b.holder.begin("alice");
    await b.holder.succeed(first, "done");
    await send(project, "alice", "two");
    expect(await a.holder.next("alice")).toBeNull();
    expect(await b.holder.next("alice")).not.toBeNull();
  });
});
