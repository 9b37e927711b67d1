import { spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  cpSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { bundleCommands } from "../bin/quick/bundle-commands.mts";
import { readDiscovery } from "../src/client/discovery.ts";
import { format, median, type Bench } from "./bench.ts";
import { fillHistory } from "./support/fill-history.ts";
import { readEvents } from "./support/read-events.ts";
import { openReviewProject } from "./support/review-project.ts";
import { spawnDaemon } from "./support/spawned-daemon.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** A daemon opens what a killed one left, and goes on: until the first run has done its next step. */
export const recovery: Bench = {
  name: "recovery",
  measures: "from the start of a daemon to the next step of the first run, after kill -9 and after a clean stop",
  async run({ quick, progress }) {
    await bundleCommands("src");
    const rounds = quick ? 1 : 4;
    const messages = quick ? 20_000 : 400_000;
    const runs = quick ? 20 : 200;
    const megabytes = quick ? 5 : 100;
    using folder = temporaryFolder();
    const killed = join(folder.path, "killed");
    const clean = join(folder.path, "clean");
    progress("writing the long history");
    await (await openReviewProject(killed, () => letAgentsWork(killed, runs)))[Symbol.asyncDispose]();
    fillHistory(databaseOf(killed), messages, 0);
    leaveLog(databaseOf(killed), runs, megabytes);
    copy(killed, clean);
    stopInOrder(databaseOf(clean));

    const times = { killed: [] as Times[], clean: [] as Times[] };
    for (let round = 0; round <= rounds; round += 1) {
      const home = join(folder.path, `home-${round}`);
      for (const [left, taken] of [[killed, times.killed] as const, [clean, times.clean] as const]) {
        const project = join(folder.path, "project");
        copy(left, project);
        const time = await openAndResume(home, project, runs);
        rmSync(project, { recursive: true });
        if (round > 0) taken.push(time); // round 0 fills caches
      }
      if (round > 0) progress(`round ${round} of ${rounds}: ${format(times.killed.at(-1)?.firstRun ?? 0)} ms`);
    }
    const firstRuns = times.killed.map(({ firstRun }) => firstRun);
    const ratio = (of: keyof Times) =>
      times.killed.map((time, round) => time[of] / (times.clean[round]?.[of] ?? Number.NaN));
    const medians = (of: keyof Times) =>
      `${format(median(times.killed.map((time) => time[of])))} ms against ${format(median(times.clean.map((time) => time[of])))} ms`;
    return [
      { what: "/health, killed to clean", ratios: ratio("health"), goal: { atMost: 1.5 }, detail: medians("health") },
      {
        what: "first run, killed to clean",
        ratios: ratio("firstRun"),
        goal: { atMost: 1.5 },
        detail: `${medians("firstRun")}, with ${megabytes} MB of log, ${format(messages)} messages, ${format(runs)} open runs`,
      },
      {
        what: "seconds from the start to the first run",
        ratios: firstRuns.map((ms) => ms / 1_000),
        goal: { atMost: 1 },
        detail: `${format(Math.max(...firstRuns))} ms at most`,
      },
    ];
  },
};

interface Times {
  readonly health: number;
  readonly firstRun: number;
}

const databaseOf = (project: string): string => join(project, ".workspace", "agent-worker.db");

/** As many agents as open runs, because an agent has one at a time. The next step of each leaves a trace; then it is busy. */
function letAgentsWork(project: string, count: number): void {
  mkdirSync(join(project, "scripts"));
  const steps = "[{ say: on it }, { call: { tool: my_status_set, args: { task: going on } } }, { delay: 10m }]";
  writeFileSync(join(project, "scripts", "busy.yaml"), `- repeat: true\n  steps: ${steps}\n`);
  const names = Array.from({ length: count }, (_, i) => `a${i + 1}`);
  for (const name of names) {
    const agent = `name: ${name}\nbackend: mock\nmodel: scripts/busy.yaml\ntools: [my_status_set]\nprompt:\n  system: Review.\n`;
    writeFileSync(join(project, ".agents", `${name}.yaml`), agent);
  }
  const members = ["alice", ...names].map((name) => `  ${name}: { ref: ${name} }\n`).join("");
  writeFileSync(join(project, ".workflows", "review.yaml"), `name: review\nagents:\n${members}`);
}

function leaveLog(database: string, runs: number, megabytes: number): void {
  const program = fileURLToPath(new URL("support/leave-log.ts", import.meta.url));
  const args = [program, database, String(runs), String(megabytes)];
  const { signal, stderr } = spawnSync(process.execPath, args);
  if (signal !== "SIGKILL") throw new Error(`the writer did not die as planned: ${stderr.toString()}`);
}

/** The same, as a daemon leaves it that was stopped: runs put aside, the log written back. */
function stopInOrder(database: string): void {
  const db = new DatabaseSync(database);
  db.exec("UPDATE run SET state = 'parked' WHERE state = 'open'");
  db.exec("UPDATE delivery SET state = 0, holder = NULL WHERE state = 1");
  db.close();
}

/** On disk when it returns: the first commit of a daemon must not have to wait for the copy. */
function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
  for (const name of readdirSync(dirname(databaseOf(to)))) {
    const file = openSync(join(dirname(databaseOf(to)), name), "r+");
    fsyncSync(file);
    closeSync(file);
  }
}

/** Milliseconds from spawning the daemon. */
async function openAndResume(home: string, project: string, runs: number): Promise<Times> {
  const since = lastEvent(project);
  const started = performance.now();
  const times = await (async () => {
    await using daemon = await spawnDaemon({ home, project });
    const registration = readDiscovery(home);
    if (registration.state !== "claimed") throw new Error("the daemon is not registered");
    const { token } = registration.daemon;
    const health = fetch(`${daemon.url}/health`).then(async (answer) => {
      await answer.text();
      return performance.now() - started;
    });
    const events = await readEvents({ url: daemon.url, token, since }, (text) => text.includes('"status.set"'));
    const firstRun = performance.now() - started;
    events.destroy();
    return { health: await health, firstRun };
  })();
  const db = new DatabaseSync(databaseOf(project), { readOnly: true });
  const left = db.prepare("SELECT count(*) AS runs FROM run WHERE state = 'parked'").get()?.["runs"];
  db.close();
  if (left !== runs) throw new Error(`not what was left behind: ${String(left)} runs`);
  return times;
}

function lastEvent(project: string): number {
  const db = new DatabaseSync(databaseOf(project), { readOnly: true });
  const seq = Number(db.prepare("SELECT max(seq) AS seq FROM event").get()?.["seq"] ?? 0);
  db.close();
  return seq;
}
