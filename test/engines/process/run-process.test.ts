import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  runProcess,
  type OutputName,
  type ProcessPipes,
  type ProcessRequest,
} from "../../../src/engines/process/run-process.ts";
import { childEnvironment } from "../../../src/engines/shared/environment.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { failureOf } from "../../../src/testing/engine-steps.ts";
import { processGone } from "../../support/process/process-gone.ts";
import { processesWith } from "../../support/process/processes-with.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

const NEVER = new AbortController().signal;

function sh(folder: TemporaryFolder, command: string, more: Partial<ProcessRequest> = {}) {
  const heard: Record<OutputName, string> = { stdout: "", stderr: "" };
  const request: ProcessRequest = {
    program: "sh",
    args: ["-c", command],
    cwd: folder.path,
    env: childEnvironment(process.env, {}),
    timeoutMs: 60_000,
    onOutput: (text, from) => (heard[from] += text),
    ...more,
  };
  return { heard, run: (signal = NEVER) => runProcess(systemClock, request, signal) };
}

async function pidIn(folder: TemporaryFolder): Promise<number> {
  for (;;) {
    const pid = existsSync(folder.in("pid")) ? Number(readFileSync(folder.in("pid"), "utf8")) : 0;
    if (pid > 0) return pid;
    await pause(10);
  }
}

describe("a process", () => {
  it("ends with its code, its outputs told apart and its standard input closed", async () => {
    using folder = temporaryFolder();
    const { heard, run } = sh(folder, "cat; echo out; echo err >&2; pwd; exit 3");
    expect(await run()).toEqual({ started: true, code: 3, timedOut: false });
    expect(heard).toEqual({ stdout: `out\n${folder.path}\n`, stderr: "err\n" });
  });

  it("hands over whole characters, also when their bytes come one at a time or not at all", async () => {
    using folder = temporaryFolder();
    const pieces: string[] = [];
    const { run } = sh(
      folder,
      String.raw`printf '\303'; sleep 0.05; printf '\251\342\202'; sleep 0.05; printf '\254\303'`,
      {
        onOutput: (text) => pieces.push(text),
      },
    );
    await run();
    expect(pieces.join("")).toBe("é€\uFFFD");
    expect(pieces.slice(0, -1).join("")).not.toContain("\uFFFD");
  });

  it("takes what it left in the background with it, and is not held by it", async () => {
    using folder = temporaryFolder();
    const { heard, run } = sh(folder, "sleep 300 & echo $! > pid; echo done");
    expect(await run()).toEqual({ started: true, code: 0, timedOut: false });
    expect(heard.stdout).toBe("done\n");
    expect(await processGone(await pidIn(folder))).toBe(true);
  });

  it("has nothing left of its group when it is over, not even for a moment", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.in("quiet"), "");
    for (let time = 0; time < 10; time += 1) {
      await sh(folder, `for n in 1 2 3 4 5; do tail -f "${folder.in("quiet")}" > /dev/null 2>&1 & done`).run();
      expect(processesWith(folder.in("quiet"))).toEqual([]);
    }
  });

  it("is answered as long as its input is open", async () => {
    using folder = temporaryFolder();
    let pipes: ProcessPipes | undefined;
    const { run } = sh(folder, 'read a; echo "asks"; read b; echo "$a $b" > heard; cat >> heard', {
      input: "first\n",
      keepsStdinOpen: true,
      onStart: (started) => {
        pipes = started;
      },
      onOutput: () => {
        pipes?.write("second\nthird\n");
        pipes?.end();
      },
    });
    expect(await run()).toMatchObject({ code: 0 });
    expect(readFileSync(folder.in("heard"), "utf8")).toBe("first second\nthird\n");
  });

  it("is not held by a process that left the group and kept its output open", async () => {
    using folder = temporaryFolder();
    const { run } = sh(folder, "setsid sh -c 'echo $$ > pid; exec sleep 30' & while ! [ -s pid ]; do sleep 0.01; done");
    expect(await run()).toMatchObject({ code: 0 });
    process.kill(await pidIn(folder), "SIGKILL");
  });

  it("is killed with its group when its time is up, also if it does not want to end", async () => {
    using folder = temporaryFolder();
    const { run } = sh(folder, "trap '' TERM; sleep 300 & echo $! > pid; while :; do sleep 1; done", {
      timeoutMs: 300,
    });
    expect(await run()).toEqual({ started: true, code: null, signal: "SIGKILL", timedOut: true });
    expect(await processGone(await pidIn(folder))).toBe(true);
  });

  it("is given the time to clean up when it is stopped", async () => {
    using folder = temporaryFolder();
    const { run } = sh(folder, "trap 'echo cleaned > clean; exit 0' TERM; echo $$ > pid; while :; do sleep 0.01; done");
    const stop = new AbortController();
    const reason = new Error("enough");
    const failure = failureOf(() => run(stop.signal));
    const pid = await pidIn(folder);
    stop.abort(reason);
    expect(await failure).toBe(reason);
    expect(readFileSync(folder.in("clean"), "utf8")).toBe("cleaned\n");
    expect(await processGone(pid)).toBe(true);
    expect(await failureOf(() => run(stop.signal))).toBe(reason);
  });

  it.each([
    ["a program that is not there", { program: "no-such-program" }, /ENOENT/],
    ["a folder that is not there", { cwd: "/no/such/folder" }, /ENOENT/],
    ["a NUL in its arguments", { args: ["-c", "a\0b"] }, /null bytes/],
    ["more arguments than fit", { args: ["-c", "x".repeat(4_000_000)] }, /E2BIG/],
  ])("that cannot be started says so: %s", async (_what, more, reason) => {
    using folder = temporaryFolder();
    expect(await sh(folder, "true", more).run()).toMatchObject({
      started: false,
      reason: expect.stringMatching(reason),
    });
  });
});

describe("the environment of a process", () => {
  it("has a few variables of ours and what was added, nothing else", () => {
    const own = { PATH: "/bin", HOME: "/home/a", OPENAI_API_KEY: "hunter2", TZ: undefined };
    expect(childEnvironment(own, { HOME: "/tmp", TEAM: "red" })).toEqual({ PATH: "/bin", HOME: "/tmp", TEAM: "red" });
  });
});
