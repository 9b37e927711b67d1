import { describe, expect, it } from "vitest";
import type { NodeView } from "../../src/contract/cluster/nodes.ts";
import { commandFolder, type CommandFolder } from "../support/daemon/installed-command.ts";
import { agentFile } from "../support/team/team.ts";

/** A project and a home. Whatever daemon the test leaves is stopped when it ends. */
function nodeFolder(files: Readonly<Record<string, string>>): CommandFolder & AsyncDisposable {
  const folder = commandFolder(files);
  const env = { HOME: folder.path, AGENT_WORKER_HOME: folder.in("home"), AGENT_WORKER_PORT: "0" };
  const run: CommandFolder["run"] = (args, options = {}) =>
    folder.run(args, { ...options, env: { AGENT_WORKER_TRUST: "1", ...env, ...options.env } });
  return {
    ...folder,
    run,
    async [Symbol.asyncDispose]() {
      await run(["daemon", "stop"]);
      folder[Symbol.dispose]();
    },
  };
}

const FILES = {
  ...agentFile("alice", "runs_on: { node: right }\n"),
  ...agentFile("bob", "runs_on: { labels: [gpu], engine: mock }\n"),
};

describe("a daemon that is a node", () => {
  it("[cli.nodes] runs what it may run, and says everywhere why another agent waits", async () => {
    await using folder = nodeFolder(FILES);
    const started = await folder.run(["daemon", "start", "--node", "left", "--label", "gpu,big", "--capacity", "2"]);
    expect(started).toMatchObject({ exit: 0 });
    expect((await folder.run(["send", "bob", "hello", "--wait"])).exit).toBe(0);
    const why = "alice waits for a node that may run it. right: no node of this name has joined; left: runs_on names";
    expect((await folder.run(["send", "alice", "hello"])).out).toContain(why);
    const listed = await folder.run(["ls"]);
    expect(listed.out).toContain(why);
    const inbox = await folder.run(["inbox", "alice"]);
    expect(inbox.out + inbox.err).toContain(why);
    expect((await folder.run(["status"])).out).toContain(why);
    expect((await folder.run(["doctor"])).out).toContain(why);

    const nodes = async () =>
      (JSON.parse((await folder.run(["call", "list-nodes", "{}"])).out) as { nodes: NodeView[] }).nodes;
    const left = { name: "left", state: "live", self: true, lead: true, labels: ["gpu", "big"], capacity: 2 };
    expect(await nodes()).toMatchObject([left]);

    // A daemon that is started again is the same node.
    expect((await folder.run(["daemon", "restart"])).exit).toBe(0);
    expect(await nodes()).toMatchObject([left]);
    await folder.run(["daemon", "stop"]);
    const env = { AGENT_WORKER_NODE: "right" };
    expect((await folder.run(["daemon", "start"], { env })).exit).toBe(0);
    expect((await folder.run(["send", "alice", "again", "--wait"])).exit).toBe(0);
    expect(await nodes()).toMatchObject([{ name: "right", state: "live", labels: [], capacity: null }]);
  });

  it("[cli.nodes] has the lease that it was started with, within limits, and keeps it", async () => {
    await using folder = nodeFolder(FILES);
    const tooShort = await folder.run(["daemon", "start", "--lease", "2s"]);
    expect(tooShort).toMatchObject({ exit: 2 });
    expect(tooShort.err).toContain("The lease of a node is 6s to 10m, and not 2s.");
    const noTime = await folder.run(["daemon", "start"], { env: { AGENT_WORKER_LEASE: "soon" } });
    expect(noTime).toMatchObject({ exit: 2 });
    expect(noTime.err).toContain('"soon" is not a duration.');

    expect(await folder.run(["daemon", "start", "--lease", "20s"])).toMatchObject({ exit: 0 });
    const leases = async () => {
      const { out } = await folder.run(["call", "list-nodes", "{}"]);
      return (JSON.parse(out) as { nodes: NodeView[] }).nodes.map(({ leaseMs }) => leaseMs);
    };
    expect(await leases()).toEqual([20_000]);
    expect(await folder.run(["daemon", "start", "--lease", "30s"])).toMatchObject({ exit: 3 });
    expect(await folder.run(["daemon", "restart"])).toMatchObject({ exit: 0 });
    expect(await leases()).toEqual([20_000]);
  });

  it("[cli.nodes] says so when the daemon that runs is another node", async () => {
    await using folder = nodeFolder(FILES);
    expect((await folder.run(["ls"])).exit).toBe(0);
    const refused = await folder.run(["daemon", "start", "--node", "left"]);
    expect(refused).toMatchObject({ exit: 3, err: expect.stringContaining("agent-worker daemon stop") });
    await folder.run(["daemon", "stop"]);
    expect((await folder.run(["daemon", "start", "--node", "left"])).exit).toBe(0);
    expect((await folder.run(["daemon", "start", "--node", "left"])).exit).toBe(0);
    expect((await folder.run(["daemon", "start"])).exit).toBe(0);
    const other = await folder.run(["daemon", "start", "--node", "left", "--capacity", "3"]);
    expect(other.err).toContain('as the node "left"');
  });

  it.each([
    [["--node", "not a name"], "no name for a node"],
    [["--label", "a,,b"], "no name for a node"],
    [["--capacity", "0"], "--capacity is at least 1"],
    [["--capacity", "many"], "--capacity takes a whole number"],
  ])("[cli.nodes] refuses %j", async (args, message) => {
    await using folder = nodeFolder({});
    const answer = await folder.run(["daemon", "start", ...args]);
    expect(answer).toMatchObject({ exit: 2, err: expect.stringContaining(message) });
  });

  it("[node.runs-on] checks runs_on where it is written", async () => {
    await using folder = nodeFolder({
      ...agentFile("alice", "runs_on: { lables: [gpu] }\n"),
      ...agentFile("bob", "runs_on:\n  node: two words\n"),
      ...agentFile("carol", "runs_on: { engine: claud }\n"),
    });
    const checked = await folder.run(["check"]);
    expect(checked.exit).not.toBe(0);
    const out = checked.out + checked.err;
    expect(out).toMatch(/alice\.yaml:4:\d+: .*lables/);
    expect(out).toContain("labels");
    expect(out).toMatch(/bob\.yaml:5:\d+: "two words" is no name for a node or a label/);
    expect(out).toMatch(/carol\.yaml:4:\d+/);
    expect(out).toContain("claude");
  });
});
