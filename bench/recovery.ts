import { spawn, spawnSync } from "node:child_process";
import { constants, cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLocalProject } from "../src/daemon/local-project.ts";
import { format, median, type Bench } from "./bench.ts";
import { fillHistory } from "./support/fill-history.ts";
import { openReviewProject } from "./support/review-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const WAITING = 20;

/** The store part of recovery: a process that opens what a killed one left, to the point where every loop knows its work. */
export const recovery: Bench = {
  name: "recovery",
  measures: "from the start of a process to all open work found, after kill -9 and after a clean stop",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 5;
    const messages = quick ? 20_000 : 1_000_000;
    const runs = quick ? 50 : 1_000;
    const megabytes = quick ? 5 : 100;
    using folder = temporaryFolder();
    const killed = join(folder.path, "killed");
    const database = join(killed, ".workspace", "agent-worker.db");
    progress("writing the long history");
    await (await openReviewProject(killed))[Symbol.asyncDispose]();
    fillHistory(database, messages, WAITING);
    leaveLog(database, runs, megabytes);

    const times = { killed: [] as number[], clean: [] as number[] };
    for (let round = 1; round <= rounds; round += 1) {
      const copy = join(folder.path, `round-${round}`);
      cpSync(killed, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
      times.killed.push(await openAndScan(copy, runs));
      await (await openLocalProject(copy))[Symbol.asyncDispose](); // writes the log into the database
      times.clean.push(await openAndScan(copy, runs));
      progress(`round ${round} of ${rounds}: ${format(times.killed.at(-1) ?? 0)} ms`);
    }
    return [
      {
        what: "killed to clean",
        ratios: times.killed.map((time, round) => time / (times.clean[round] ?? Number.NaN)),
        goal: { atMost: 1.5 },
        detail: `${format(median(times.killed))} ms against ${format(median(times.clean))} ms, with ${megabytes} MB of log, ${format(messages)} messages, ${format(runs)} open runs`,
      },
    ];
  },
};

function leaveLog(database: string, runs: number, megabytes: number): void {
  const { signal, stderr } = spawnSync(process.execPath, [
    script("leave-log.ts"),
    database,
    String(runs),
    String(megabytes),
  ]);
  if (signal !== "SIGKILL") throw new Error(`the writer did not die as planned: ${stderr.toString()}`);
}

/** Milliseconds from spawning the process to its word that it is ready. */
async function openAndScan(folder: string, runs: number): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [script("open-and-scan.ts"), folder, String(runs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ready = await new Promise<number>((resolve, reject) => {
    child.stdout.once("data", () => resolve(performance.now() - started));
    child.once("exit", (code) => reject(new Error(`the process ended with ${code} before it was ready`)));
  });
  await new Promise((resolve) => (child.exitCode === null ? child.once("exit", resolve) : resolve(undefined)));
  return ready;
}

function script(name: string): string {
  return fileURLToPath(new URL(`support/${name}`, import.meta.url));
}
