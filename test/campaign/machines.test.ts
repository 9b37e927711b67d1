import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Random } from "../../src/kernel/random.ts";
import { startClusteredTeam } from "../support/cluster/clustered-team.ts";
import { readTakeOvers } from "../support/cluster/ledger.ts";
import { startModelTeam } from "../support/cluster/model-team.ts";
import type { Machine } from "../support/cluster/machine.ts";
import { networkProblem } from "../support/cluster/network.ts";
import { eventually } from "../support/team/running-project.ts";
import { printedSeed } from "../support/store/seed.ts";

const KILLS = Number(process.env["KILLS"] ?? 200);
/** One of so many kills leaves the machine off until others have what it worked on. */
const LONG_OFF = 10;
const LONGER_THAN_LEASE_MS = 14_000;
const problem = networkProblem();
if (problem !== undefined) console.log(`machines: skipped, because ${problem}`);

/** A kill of a node, when it happened. */
interface Kill {
  readonly node: string;
  readonly at: number;
}

describe.skipIf(problem !== undefined)("a cluster on machines of its own network", () => {
  it(`[node.kills] ${KILLS} kills of nodes and of the server under load`, async () => {
    await using team = await startClusteredTeam();
    const random = printedSeed("machines");
    const kills: Kill[] = [];
    let servers = 0;
    const isOver = (): boolean => kills.length + servers >= KILLS;
    const started = performance.now();
    await Promise.all([
      ...team.machines.map((machine) => killAgainAndAgain(machine, random, kills, isOver)),
      (async () => {
        while (!isOver()) {
          await pause(4_000 + random() * 6_000);
          servers += 1;
          await team.server.kill();
          await pause(random() * 500);
          await team.server.start();
        }
      })(),
    ]);
    const seconds = (performance.now() - started) / 1000;
    await team.drain();
    const summary = await team.check({ isRepeatAllowed: false });
    const runs = await readTakeOvers(team.server, team.schema, kills);
    const suspects = runs.filter(({ isSuspect }) => isSuspect).length;
    console.log(
      `machines: ${kills.length} kills of nodes and ${servers} of the server in ${seconds.toFixed(0)} s; ${summary}; ` +
        `${runs.length} runs were taken over: given free after ${spread(runs.map(({ freeMs }) => freeMs))}, at work again ` +
        `after ${spread(runs.flatMap(({ claimedMs, isSuspect }) => (isSuspect ? [] : [claimedMs])))}; ` +
        `${suspects} waited longer, because they had seen three deaths`,
    );
    expect(kills.length + servers).toBeGreaterThanOrEqual(KILLS);
    expect(runs.length).toBeGreaterThan(0);
  }, 900_000);

  it("[node.cut] machines that are cut off, unplugged, paused or slow: others go on, and all come back by themselves", async () => {
    await using team = await startClusteredTeam();
    const [one, two, three] = team.machines;
    if (one === undefined || two === undefined || three === undefined) throw new Error("three machines");
    const { network } = team;
    const troubles: readonly (readonly [string, () => void, () => void])[] = [
      ["the switch drops all packets of one", () => network.cut("one"), () => network.mend("one")],
      ["the cable of two is pulled", () => network.unplug("two"), () => network.mend("two")],
      ["three is paused", () => three.signal("SIGSTOP"), () => three.signal("SIGCONT")],
      ["one has a slow line", () => network.slow("one", 64), () => network.mend("one")],
      ["the server is cut off from all", () => network.cut("server"), () => network.mend("server")],
    ];
    for (const [what, begin, end] of troubles) {
      const before = team.accepted().length;
      begin();
      await pause(LONGER_THAN_LEASE_MS);
      const during = team.accepted().length - before;
      end();
      const mended = performance.now();
      await eventually(`all are there again after: ${what}`, () => team.areAllThere(), 60_000);
      const seconds = ((performance.now() - mended) / 1000).toFixed(1);
      console.log(`machines: ${what}; ${during} messages accepted meanwhile, all there again after ${seconds} s`);
    }
    await team.drain();
    const summary = await team.check({ isRepeatAllowed: true });
    expect(summary).toContain("each answered once");
    console.log(`machines: ${summary}`);
  }, 400_000);

  it("[node.cut] [run.fence] a node that is cut off during a model call: the answer of the new owner counts, and the late one does not", async () => {
    await using team = await startModelTeam();
    const [left, right] = team.machines;
    for (const { run } of team.machines) expect(await run(["ls"])).toMatchObject({ exit: 0 });
    expect(await left.run(["send", "alice", "what is it?"])).toMatchObject({ exit: 0 });
    const owner = await Promise.race(team.machines.map((each) => each.model.line("asked").then(() => each)));
    const other = owner === left ? right : left;
    team.network.cut(owner.name);
    await other.model.line("asked");
    other.model.send("the answer of the new owner");
    const peek = async (machine: Machine): Promise<string> => (await machine.run(["peek", "alice"])).out;
    await eventually("it is answered", async () => (await peek(other)).includes("of the new owner"), 30_000);

    // It says what happened, in its log and to whoever asks, although it cannot reach the store.
    await eventually("its log says it", () => owner.log().includes("this node is cut off"), 30_000);
    const status = await owner.run(["status"]);
    expect(status.out).toContain("degraded");
    expect(status.out).toContain(`The node "${owner.name}" cannot reach the store: other nodes go on with its runs.`);
    expect(status.out + owner.log()).not.toContain(team.server.password);

    owner.model.send("the late answer");
    team.network.mend(owner.name);
    await eventually("it is there again", () => owner.log().includes("this node is there again"), 60_000);
    const isRefused = () => /could not be settled|a run was taken over/.test(owner.log());
    await eventually("its late answer is refused", isRefused, 30_000);
    await eventually("it is well", async () => (await owner.run(["status"])).out.includes("is ready"), 30_000);
    const said = await peek(owner);
    expect(said).toContain("the answer of the new owner");
    expect(said).not.toContain("the late answer");
    expect(await team.server.query("SELECT count(*)::int AS n FROM team.message WHERE sender = 'alice'")).toEqual([
      { n: 1 },
    ]);
  }, 240_000);
});

async function killAgainAndAgain(
  machine: Machine,
  random: Random,
  kills: Kill[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await pause(200 + random() * 1_500);
    kills.push({ node: machine.name, at: Date.now() });
    await machine.kill();
    if (random() < 1 / LONG_OFF) await pause(13_000);
    await machine.start();
  }
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const seconds = (at: number): string => ((sorted.at(at) ?? 0) / 1000).toFixed(1);
  return `${seconds(Math.floor(sorted.length / 2))} s (longest ${seconds(-1)} s)`;
}
