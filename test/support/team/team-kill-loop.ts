import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Random } from "../../../src/kernel/random.ts";
import { spawnSupport } from "../process/spawned.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { openLiveTestProjectIn } from "./running-project.ts";
import { answersIn, keysIn, STEPS_PER_RUN, stepsIn, TEAM_LOG } from "./team-at-work.ts";

/** Of a life that does not end while it starts: long enough for a few steps, also where everything takes longer. */
const longestLife = (startupMs: number): number => Math.max(250, startupMs / 4);

/**
 * Kills a team at work again and again, sometimes while it starts, then lets it finish and looks: every message with a
 * receipt was answered once, no finished step was made again, and nothing has to be cleaned up by hand.
 */
export async function teamKillLoop(kills: number, random: Random): Promise<string> {
  using folder = temporaryFolder();
  const acked = new Set<string>();
  let highest = 0;
  let startupMs = 500;
  for (let life = 1; life <= kills; life += 1) {
    const started = performance.now();
    await using team = spawnSupport("team-process.ts", [folder.path, "work", String(life), String(highest)]);
    if (life > 1 && random() < 0.2) await sleep(random() * startupMs);
    else {
      expect(await team.line("opened")).toBe("opened 0");
      startupMs = performance.now() - started;
      // At least one life comes to something, however slow the machine is.
      if (life === 1) await team.line("acked");
      await sleep(random() * longestLife(startupMs));
    }
    team.kill();
    await team.ended;
    for (const line of team.lines) if (line.startsWith("acked ")) acked.add(line.slice("acked ".length));
    // What was sent and not acknowledged may have arrived: its keys are not used again.
    highest += 1_000;
  }
  await using last = spawnSupport("team-process.ts", [folder.path, "drain", String(kills + 1)]);
  await last.line("drained");
  expect(await last.ended).toBe(0);

  const answers = await checkAnswers(folder.path, acked);
  const steps = await checkSteps(folder.path);
  const files = readdirSync(join(folder.path, ".workspace")).filter((name) => name.startsWith("agent-worker.db"));
  expect(files.filter((name) => !/^agent-worker\.db(-wal|-shm|\.lock|\.commits)?$/.test(name))).toEqual([]);
  return `${kills} kills, ${acked.size} messages with a receipt, ${answers} answered, ${steps.runs} runs, ${steps.cut} steps cut off and made again`;
}

/** A step is begun again only in a later life, and only if none after it was begun: otherwise it had finished. */
async function checkSteps(dir: string): Promise<{ readonly runs: number; readonly cut: number }> {
  const log = readFileSync(join(dir, TEAM_LOG), "utf8");
  const last = new Map<string, { readonly life: number; readonly step: number }>();
  let cut = 0;
  for (const { life, run, step } of stepsIn(log)) {
    const before = last.get(run);
    const again = before !== undefined && step === before.step && life > before.life;
    if (!again) expect(step, `${run} in life ${life}, after ${JSON.stringify(before)}`).toBe((before?.step ?? 0) + 1);
    cut += Number(again);
    last.set(run, { life, step });
  }
  const unfinished = [...last].filter(([, { step }]) => step !== STEPS_PER_RUN).map(([run]) => run);
  await using project = await openLiveTestProjectIn(dir);
  const known = await project.store.read(({ runs }) => Promise.all(unfinished.map((run) => runs.byId(run))));
  expect(known, `begun and not finished: ${unfinished.join(", ")}`).toEqual([]);
  return { runs: last.size, cut };
}

async function checkAnswers(dir: string, acked: ReadonlySet<string>): Promise<number> {
  await using project = await openLiveTestProjectIn(dir);
  expect(project.store.lostCommits).toBe(0);
  expect(await project.store.findDamage()).toEqual([]);
  const dead = await project.store.read((store) => store.deliveries.dead({ limit: 10 }));
  expect(
    dead.map(({ delivery }) => delivery.state),
    "dead letters",
  ).toEqual([]);
  const messages = await project.messages("@team:main");
  const asked = new Set(messages.filter(({ sender }) => sender === "user").flatMap(({ body }) => keysIn(body)));
  expect(
    [...acked].filter((key) => !asked.has(key)),
    "acknowledged and not there",
  ).toEqual([]);
  const answered = messages.filter(({ sender }) => sender !== "user").flatMap(({ body }) => answersIn(body));
  expect(answered.toSorted(), "every message is answered once").toEqual([...asked].toSorted());
  await project.store.read(async (store) => {
    expect(await store.deliveries.countOpen("@team:main")).toBe(0);
    expect(await store.runs.unfinished()).toEqual([]);
  });
  return answered.length;
}
