import { spawn, spawnSync } from "node:child_process";
import { constants, cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format, median, type Bench } from "./bench.ts";
import { fillHistory } from "./support/fill-history.ts";
import { openReviewProject } from "./support/review-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** A process opens what a killed one left, and goes on: until the first run is back in its engine. */
export const recovery: Bench = {
  name: "recovery",
  measures: "from the start of a process to the first run that goes on, after kill -9 and after a clean stop",
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
    fillHistory(database, messages, 0);
    leaveLog(database, runs, megabytes);

    const times = { killed: [] as number[], clean: [] as number[] };
    for (let round = 1; round <= rounds; round += 1) {
      const copy = join(folder.path, `round-${round}`);
      cpSync(killed, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
      times.killed.push(await openAndResume(copy, runs));
      times.clean.push(await openAndResume(copy, runs)); // the first time ended in good order
      rmSync(copy, { recursive: true });
      progress(`round ${round} of ${rounds}: ${format(times.killed.at(-1) ?? 0)} ms`);
    }
    return [
      {
        what: "killed to clean",
        ratios: times.killed.map((time, round) => time / (times.clean[round] ?? Number.NaN)),
        goal: { atMost: 1.5 },
        detail: `${format(median(times.killed))} ms against ${format(median(times.clean))} ms, with ${megabytes} MB of log, ${format(messages)} messages, ${format(runs)} open runs`,
      },
      {
        what: "seconds from the start to the first run",
        ratios: times.killed.map((ms) => ms / 1_000),
        goal: { atMost: 1 },
        detail: `${format(Math.max(...times.killed))} ms at most`,
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

/** Milliseconds from spawning the process to its word that the first run goes on. */
async function openAndResume(folder: string, runs: number): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [script("open-and-resume.ts"), folder, String(runs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const ready = await new Promise<number>((resolve, reject) => {
    child.stdout.once("data", () => resolve(performance.now() - started));
    void exited.then((code) => reject(new Error(`the process ended with ${code} before its first run`)));
  });
  const code = await exited;
  if (code !== 0) throw new Error(`the process ended with ${code}`);
  return ready;
}

function script(name: string): string {
  return fileURLToPath(new URL(`support/${name}`, import.meta.url));
}
