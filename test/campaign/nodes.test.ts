import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NodeView } from "../../src/contract/cluster/nodes.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { value } from "../support/result.ts";
import { startServer, type TestServer } from "../support/postgres/server.ts";
import { agentFile } from "../support/team/team.ts";
import { eventually } from "../support/team/running-project.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

const FILES = {
  ...agentFile("alice", "runs_on: { node: left }\n"),
  ...agentFile("bob", "runs_on: { labels: [big] }\n"),
  ...agentFile("carol", "model: scripts/carol.yaml\n"),
  ...agentFile("dave", "model: scripts/dave.yaml\n"),
  ...agentFile("erin"),
  ".workflows/brief.yaml": "name: brief\ncontext: { provider: memory }\nagents: { erin: { ref: erin } }\n",
  "scripts/carol.yaml": "- repeat: true\n  steps:\n    - delay: 5s\n    - say: done at last\n",
  "scripts/dave.yaml": "- repeat: true\n  steps:\n    - delay: 10m\n",
};

/** One of several daemons, each with its own home and its own copy of the project, as on machines of their own. */
async function startNode(
  url: string,
  name: string,
  more: Readonly<Record<string, string>> = {},
): Promise<CommandedDaemon> {
  const schema = new URL(url).searchParams.get("schema") ?? "";
  return startCommandedDaemon({
    files: { ...FILES, "moniro.yaml": `store: { url: $DATABASE_URL, schema: ${schema} }\n` },
    env: { DATABASE_URL: url.replace(/\?.*/, ""), AGENT_WORKER_NODE: name, ...more },
  });
}

async function nodesOf(daemon: CommandedDaemon): Promise<readonly NodeView[]> {
  return value(await daemon.client.call("list-nodes", {})).nodes;
}

/** Waits until the agent is at work, and returns the daemon that executes its run and the other one. */
async function whoRuns(agent: string, [left, right]: readonly [CommandedDaemon, CommandedDaemon]) {
  let node: string | null = null;
  await eventually(`${agent} is at work`, async () => {
    const { agents } = value(await left.client.call("list-agents", {}));
    node = agents.find(({ name }) => name === agent)?.node ?? null;
    return node !== null;
  });
  return node === "left" ? { owner: left, other: right } : { owner: right, other: left };
}

async function answersOf(daemon: CommandedDaemon, agent: string): Promise<string[]> {
  const { messages } = value(await daemon.client.call("peek-channel", { target: agent, limit: 100 }));
  return messages.filter(({ from }) => from === agent).map(({ content }) => content);
}

describe("two daemons on one store", () => {
  it("[node.lease] [run.fence] a node that hangs during a step loses its run, and its late answer counts nothing", async () => {
    const url = server.freshUrl();
    await using left = await startNode(url, "left");
    await left.run(["ls"]);
    await using right = await startNode(url, "right");
    await right.run(["ls"]);
    await left.run(["send", "carol", "are you there?"]);
    const { owner, other } = await whoRuns("carol", [left, right]);
    process.kill(owner.pid, "SIGSTOP");
    const isAnswered = async () => (await answersOf(other, "carol")).length > 0;
    await eventually("the other node answers", isAnswered, 40_000);
    process.kill(owner.pid, "SIGCONT");
    const logs = () => readFileSync(join(owner.home, "logs/daemon.log"), "utf8");
    const isRefused = () => /could not be settled|a run was taken over/.test(logs());
    await eventually("the late answer is refused", isRefused, 30_000);
    expect(await answersOf(other, "carol")).toEqual(["done at last"]);
    expect((await nodesOf(other)).map(({ state }) => state)).toEqual(["live", "live"]);
  });

  it("[node.vanished] a node whose process is killed is replaced long before its lease ends", async () => {
    const url = server.freshUrl();
    const lease = { AGENT_WORKER_LEASE: "2m" };
    await using left = await startNode(url, "left", lease);
    await left.run(["ls"]);
    await using right = await startNode(url, "right", lease);
    await right.run(["ls"]);
    await left.run(["send", "dave", "work"]);
    const { owner, other } = await whoRuns("dave", [left, right]);
    const haveMet = async () => {
      const nodes = await nodesOf(other);
      const joined = Math.max(...nodes.map(({ startedAt }) => Date.parse(startedAt)));
      return nodes.length === 2 && nodes.every(({ lastBeat }) => Date.parse(lastBeat) > joined);
    };
    await eventually("each has beaten since both are there", haveMet, 60_000);
    process.kill(owner.pid, "SIGKILL");
    const start = performance.now();
    const isTaken = async () => {
      const { agents } = value(await other.client.call("list-agents", {}));
      const node = agents.find(({ name }) => name === "dave")?.node;
      return node === (other === left ? "left" : "right");
    };
    await eventually("the other one goes on", isTaken, 90_000);
    const seconds = (performance.now() - start) / 1000;
    console.log(`nodes: a killed node with a lease of 2 minutes was replaced after ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(100);
  }, 240_000);

  it("[node.stop] stopping an agent on one node ends its run on the other", async () => {
    const url = server.freshUrl();
    await using left = await startNode(url, "left");
    await left.run(["ls"]);
    await using right = await startNode(url, "right");
    await right.run(["ls"]);
    await left.run(["send", "dave", "work"]);
    const { other } = await whoRuns("dave", [left, right]);
    expect(await other.run(["stop", "dave"])).toMatchObject({ exit: 0 });
    const isStopped = async () => {
      const { agents } = value(await other.client.call("list-agents", {}));
      const dave = agents.find(({ name }) => name === "dave");
      return dave?.state === "stopped" && dave.node === null;
    };
    await eventually("dave is stopped", isStopped, 20_000);
  });

  it("[node.lease] [node.placement] share the work by runs_on, see each other, and one goes on when the other is killed", async () => {
    const url = server.freshUrl();
    await using left = await startNode(url, "left");
    await left.run(["ls"]);
    await using right = await startNode(url, "right", { AGENT_WORKER_LABELS: "big" });
    expect(await right.run(["ls"])).toMatchObject({ exit: 0, out: expect.stringContaining("right (here)") });

    // Sent to one node, answered by the other.
    expect(await left.run(["send", "bob", "hello", "--wait"])).toMatchObject({ exit: 0 });
    expect(await right.run(["send", "alice", "hello", "--wait"])).toMatchObject({ exit: 0 });

    const before = await nodesOf(left);
    expect(before.map(({ name, state, lead }) => [name, state, lead])).toEqual([
      ["left", "live", true],
      ["right", "live", false],
    ]);
    await right.stop("SIGKILL");
    await left.run(["send", "bob", "who is there?"]);
    const isAway = async () => (await nodesOf(left)).find(({ name }) => name === "right")?.state === "away";
    await eventually("the node that was killed is missed", isAway, 20_000);
    const why = /bob waits for a node that may run it\..*right: it is not there, last heard of at 20.*--node right/;
    expect((await left.run(["ls"])).out).toMatch(why);
    expect((await left.run(["send", "bob", "and now?"])).out).toMatch(why);
    // Whoever waits for the answer is told at once, and has it when the node is back.
    const waiting = left.run(["send", "bob", "answer me", "--wait"]);
    const asked = left.run(["run", "bob", "answer me, too"]);
    const isSent = async () => value(await left.client.call("read-inbox", { target: "bob" })).deliveries.length === 4;
    await eventually("both questions wait", isSent, 20_000);

    // Started again from the same home it has its place at once.
    await using again = await right.restart();
    const isAnswered = async () =>
      value(await again.client.call("read-inbox", { target: "bob" })).deliveries.length === 0;
    await eventually("it has answered what waited for it", isAnswered, 20_000);
    expect(await waiting).toMatchObject({ exit: 0, err: expect.stringMatching(why) });
    expect(await asked).toMatchObject({ exit: 0, err: expect.stringMatching(why) });
  });

  it("[node.definitions] a node with other files of an agent does not run it, and goes on when they are the same", async () => {
    const url = server.freshUrl();
    await using left = await startNode(url, "left");
    await left.run(["ls"]);
    await using right = await startNode(url, "right", { AGENT_WORKER_LABELS: "big" });
    await right.run(["ls"]);
    const isListed = async (agents: readonly string[]) => {
      const found = (await nodesOf(left)).find(({ name }) => name === "right");
      return found?.differs.map(({ agent }) => agent).join(" ") === agents.join(" ");
    };
    await eventually("both have the same files", () => isListed([]), 20_000);

    const [file = "", text = ""] = Object.entries(agentFile("bob", "runs_on: { labels: [big] }\n"))[0] ?? [];
    right.write(file, `${text}max_tokens: 1000\n`);
    await eventually("the difference is seen on the other node", () => isListed(["bob"]), 20_000);
    expect((await left.run(["ls"])).out).toMatch(/^right .* bob \(max_tokens\)$/m);
    const refused = /does not run bob: its definition of bob is not that of the node "left": max_tokens differs/;
    for (const command of ["ls", "status", "doctor"]) {
      const isSaid = async () => {
        const { out } = await right.run([command]);
        return refused.test(out) && out.includes('git pull here or on "left"');
      };
      await eventually(`${command} on the node itself says it, and what to do`, isSaid, 20_000);
      expect((await left.run([command])).out).not.toMatch(refused);
    }
    const sent = await right.run(["send", "bob", "hello"]);
    expect(sent.out).toMatch(/right: its definition of bob is not that of the node "left": max_tokens differs/);
    // Only this agent waits.
    expect(await right.run(["send", "carol", "hello", "--wait"])).toMatchObject({ exit: 0 });

    right.write(file, text);
    const isAnswered = async () => (await answersOf(left, "bob")).length === 1;
    await eventually("it goes on by itself", isAnswered, 20_000);
  });

  it("a workspace in memory belongs to the node that started it", async () => {
    const url = server.freshUrl();
    await using left = await startNode(url, "left");
    await left.run(["ls"]);
    await using right = await startNode(url, "right");
    await right.run(["ls"]);
    expect(await left.run(["start", "brief"])).toMatchObject({ exit: 0 });
    const sent = await left.run(["send", "@brief", "@erin hello", "--wait"]);
    expect(sent).toMatchObject({ exit: 0, out: expect.stringContaining("erin") });
    expect((await left.run(["ls"])).out).toMatch(/^@brief +open/m);
    expect((await right.run(["ls"])).out).not.toContain("@brief");
    await left.stop("SIGKILL");
    await using _again = await left.restart();
    const after = await left.run(["ls"]);
    expect(after).toMatchObject({ exit: 0, out: expect.stringContaining("erin") });
    expect(after.out).not.toContain("@brief");
  });

  it("[ui.ask-again] what is asked again is answered by the node that was asked, also after a while, and counts on both", async () => {
    const url = server.freshUrl();
    await using left = await startNode(url, "left");
    await using right = await startNode(url, "right");
    await left.run(["ls"]);
    await right.run(["ls"]);
    // The copy of carol is 5 seconds at work; the one of erin is asked again while the other node looks on.
    await right.run(["send", "carol", "hello", "--wait"]);
    await right.run(["send", "erin", "hello", "--wait"]);
    for (const agent of ["carol", "erin"]) {
      const { runs } = value(await right.client.call("list-runs", { target: agent }));
      const asked = value(await right.client.call("retry-run", { id: runs[0]?.id ?? "" }));
      await eventually(
        `${asked.agent} answers`,
        async () => (await answersOf(right, asked.agent)).length === 1,
        40_000,
      );
      await right.run(["send", asked.agent, "and now?", "--wait"]);
      await eventually(
        `${asked.agent} answers twice`,
        async () => (await answersOf(left, asked.agent)).length === 2,
        40_000,
      );
    }
    expect(value(await right.client.call("list-dead-letters", {})).deliveries).toEqual([]);
    const totals = [left, right].map(async ({ client }) => value(await client.call("show-usage", {})).total);
    const [first, second] = await Promise.all(totals);
    expect(first).toEqual(second);
    expect(first?.runs).toBe(6);
  }, 120_000);

  it("[node.name] refuses a second daemon of the same name", async () => {
    const url = server.freshUrl();
    await using left = await startNode(url, "left");
    await left.run(["ls"]);
    await using other = await startNode(url, "left");
    const refused = await other.run(["ls"]);
    expect(refused.exit).not.toBe(0);
    expect(refused.err).toContain('Another node of this project is called "left"');
  });
});
