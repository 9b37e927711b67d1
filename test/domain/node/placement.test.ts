import { describe, expect, it } from "vitest";
import { ENGINE_NAMES } from "../../../src/domain/agent/engines.ts";
import { isNodeName, liveNodes, nodeState } from "../../../src/domain/node/node.ts";
import { placeAgent, placementText, type PlacedNode } from "../../../src/domain/node/placement.ts";

function node(name: string, fields: Partial<PlacedNode> = {}): PlacedNode {
  return {
    name,
    instance: `own_${name}`,
    machine: name,
    labels: [],
    engines: ENGINE_NAMES,
    capacity: null,
    version: "0",
    definitions: {},
    startedAt: 0,
    beatAt: 100,
    leaseMs: 10,
    leftAt: null,
    ...fields,
  };
}

const alice = { key: "alice", definition: {}, worktreeNode: null };

describe("a node", () => {
  it("is live until its lease is over, and not after it left", () => {
    expect(nodeState(node("a"), 110)).toBe("live");
    expect(nodeState(node("a"), 111)).toBe("away");
    expect(nodeState(node("a", { leftAt: 105 }), 106)).toBe("left");
  });

  it("leads when it joined first among those that are there", () => {
    const nodes = [node("a", { startedAt: 3 }), node("b", { startedAt: 1, leftAt: 5 }), node("c", { startedAt: 2 })];
    expect(liveNodes(nodes, 100).map(({ name }) => name)).toEqual(["c", "a"]);
  });

  it.each([
    ["worker-1", true],
    ["gpu.a100", true],
    ["", false],
    ["a b", false],
    ["-x", false],
    ["x".repeat(64), false],
  ])("may be called %j: %s", (name, may) => expect(isNodeName(name)).toBe(may));
});

describe("placement", () => {
  const nodes = [node("a", { labels: ["gpu"] }), node("b", { engines: ["sdk"] }), node("c", { beatAt: 1 })];

  it("without wishes is every node that is there and has the engine", () => {
    expect(placeAgent(alice, nodes, 105)).toEqual({
      nodes: ["a", "b"],
      objections: [{ node: "c", reason: "it is not there, last heard of at 1970-01-01T00:00:00.001Z" }],
      absent: ["c"],
    });
    const claude = { ...alice, definition: { backend: "claude" } as const };
    expect(placeAgent(claude, nodes, 105).objections[0]).toEqual({
      node: "b",
      reason: 'it does not have the engine "claude"',
    });
  });

  it.each([
    [{ node: "b" }, ["b"]],
    [{ labels: ["gpu"] }, ["a"]],
    [{ labels: ["gpu", "tpu"] }, []],
    [{ engine: "codex" }, ["a"]],
    [{ node: "nowhere" }, []],
  ] as const)("with runs_on %j is %j", (runsOn, expected) => {
    expect(placeAgent({ ...alice, definition: { runsOn } }, nodes, 105).nodes).toEqual(expected);
  });

  it("says for each node why not, and that a node has never been there", () => {
    const runsOn = { node: "nowhere" };
    const placement = placeAgent({ ...alice, definition: { runsOn } }, nodes, 105);
    expect(placementText("alice", runsOn, placement)).toContain("nowhere: no node of this name has joined");
    expect(placementText("alice", runsOn, placement)).toContain('a: runs_on names the node "nowhere"');
  });

  it("follows the definition of the node that joined first", () => {
    const first = node("a", { definitions: { alice: "model:1 prompt:1" }, startedAt: 1 });
    const second = node("b", { definitions: { alice: "max_tokens:5 model:1 prompt:2" }, startedAt: 2 });
    const third = node("c", { startedAt: 0 });
    const placement = placeAgent(alice, [first, second, third], 105);
    expect(placement.nodes).toEqual(["a"]);
    expect(placement.objections.map(({ reason }) => reason)).toEqual([
      'its definition of alice is not that of the node "a": max_tokens, prompt differ',
      'it has no definition of alice; the node "a" has',
    ]);
    expect(placeAgent(alice, [{ ...first, leftAt: 1 }, second], 105).nodes).toEqual(["b"]);
  });
});
