import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import type { HealthView } from "../../../src/contract/service/health.ts";
import { startTestDaemon } from "../../support/daemon/daemon.ts";
import { commandFolder, runInstalled } from "../../support/daemon/installed-command.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { eventually } from "../../support/team/running-project.ts";
import { agentThatReads, longWork } from "../../support/storage/long-transcript.ts";

describe("what a run leaves in the store", () => {
  it("one run of 50 steps with results of 26 KB takes 2 MB at most, and goes on with everything after a kill [retention.steps]", async () => {
    const steps = 50;
    const work = longWork(steps);
    await using model = await startFakeModelServer(work.script);
    await using first = await startTestDaemon({ files: agentThatReads(model.url), env: { MODEL_KEY: "k" } });
    await runInstalled(["send", "reader", "Read it all."], { cwd: first.project, env: first.env });
    await model.received(20);
    await first.stop("SIGKILL");
    await using second = await first.restart({ env: { MODEL_KEY: "k" } });
    await model.received(steps);
    const shown = await runInstalled(["send", "reader", "And now?", "--wait"], {
      cwd: second.project,
      env: second.env,
    });
    expect(shown.out).toContain("I have read it all.");

    // The last call of the run had every result before it, also those from before the kill.
    expect(work.resultsSeen()).toBe(steps - 1);
    const db = new DatabaseSync(join(second.project, ".workspace/agent-worker.db"), { readOnly: true });
    const [largest] = db
      .prepare("SELECT sum(octet_length(transcript)) AS bytes FROM step GROUP BY run ORDER BY 1 DESC")
      .all();
    db.close();
    const result = readFileSync(join(second.project, "big.txt")).length;
    expect(Number(largest?.["bytes"])).toBeLessThan(steps * result * 1.2);
  });
});

// Mounting a small disk is the privilege of root; elsewhere there is none to fill.
const disk = mkdtempSync(join(tmpdir(), "small-disk-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]).status === 0;
afterAll(() => {
  if (mounted) spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

const ALICE = "name: alice\nbackend: mock\nprompt: { system: Answer. }\n";

describe("a project that cannot be opened", () => {
  it.skipIf(!mounted)(
    "is opened as soon as there is space, without a request [retention.opened-later] [retention.vacuum]",
    async () => {
      mkdirSync(join(disk, ".agents"));
      writeFileSync(join(disk, ".agents/alice.yaml"), ALICE);
      for (let size = 1 << 22; size >= 1024; size >>= 1) {
        try {
          writeFileSync(join(disk, "filler"), Buffer.alloc(size), { flag: "a" });
        } catch {
          // Smaller, then.
        }
      }
      await using daemon = await startTestDaemon({});
      await runInstalled(["ls"], { cwd: disk, env: daemon.env });
      const health = async () => (await (await daemon.fetch("/health")).json()) as HealthView;
      expect((await health()).problems.join()).toContain(`the project ${disk} could not be opened`);
      rmSync(join(disk, "filler"));
      await eventually("it is opened", async () => (await health()).projects.some(({ dir }) => dir === disk), 60_000);
      expect((await health()).problems.join()).not.toContain("could not be opened");
      const vacuum = await runInstalled(["prune", "--vacuum"], { cwd: disk, env: daemon.env });
      expect(vacuum).toMatchObject({ exit: 3, err: expect.stringContaining("too little space") });
    },
  );

  it("is said at once to be held by another daemon, also over MCP, and logged once [retention.held]", async () => {
    await using first = await startTestDaemon({ files: { ".agents/alice.yaml": ALICE } });
    await runInstalled(["send", "alice", "hello"], { cwd: first.project, env: first.env });
    await using second = await startTestDaemon({});
    const held = { cwd: first.project, env: second.env };
    const refused = { exit: 3, err: expect.stringContaining("Another agent-worker process") };
    for (let n = 0; n < 3; n += 1) expect(await runInstalled(["ls"], held)).toMatchObject(refused);
    const ping = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}\n';
    const startedAt = performance.now();
    await runInstalled(["mcp"], { ...held, input: ping });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    const log = readFileSync(join(second.home, "logs/daemon.log"), "utf8");
    expect(log.match(/a project could not be opened/g)).toHaveLength(1);
  });
});

describe("a database that is gone", () => {
  it("is told by status and doctor, and a restarted daemon begins anew only when a person says so [retention.restart]", async () => {
    await using daemon = await startTestDaemon({ files: { ".agents/alice.yaml": ALICE } });
    const folder = join(daemon.project, ".workspace");
    const run = (args: readonly string[]) => runInstalled(args, { cwd: daemon.project, env: daemon.env });
    await run(["send", "alice", "hello", "--wait"]);
    rmSync(folder, { recursive: true });
    expect((await run(["status"])).out).toContain("was deleted or moved away");
    expect(await run(["doctor"])).toMatchObject({ exit: 1, out: expect.stringContaining("was deleted or moved") });
    await daemon.stop();
    await using next = await daemon.restart();
    const gone = expect.stringContaining("was deleted or moved away");
    const refused = { exit: 1, err: expect.stringContaining("agent-worker doctor --reopen") };
    expect(await run(["ls"])).toMatchObject({ exit: 0, err: gone });
    expect(await run(["status"])).toMatchObject({ out: gone });
    expect(await run(["send", "alice", "anew"])).toMatchObject(refused);
    expect(await run(["run", "alice", "anew"])).toMatchObject(refused);
    expect(await run(["doctor"])).toMatchObject({ exit: 1, out: expect.stringContaining("doctor --reopen") });
    expect(existsSync(folder)).toBe(false);
    const reopened = await run(["doctor", "--reopen"]);
    expect(reopened.out).toContain("begins with an empty database");
    expect(await run(["send", "alice", "anew", "--wait"])).toMatchObject({ exit: 0 });
    expect((await run(["status"])).out).toContain("The daemon is ready");
    expect(await run(["doctor"])).toMatchObject({ exit: 0 });
    expect(next.errors()).toBe("");
  });

  it("is not called missing when the project was moved: the hint is to trust it where it is now [retention.moved-project]", async () => {
    using folder = commandFolder({ "before/.agents/alice.yaml": ALICE });
    const run = (cwd: string, ...args: string[]) =>
      folder.run(args, { cwd, env: { AGENT_WORKER_TRUST: "", AGENT_WORKER_PORT: "0" } });
    await run("before", "send", "alice", "hello", "--wait", "--trust");
    renameSync(folder.in("before"), folder.in("after"));
    try {
      for (const command of [["doctor"], ["ls"], ["status"], ["send", "alice", "here?"]]) {
        const { out, err } = await run("after", ...command);
        expect(`${out}${err}`).toContain("agent-worker trust");
        expect(`${out}${err}`).not.toContain("--reopen");
      }
      expect(await run("after", "send", "alice", "here", "--wait", "--trust")).toMatchObject({ exit: 0 });
      expect((await run("after", "peek", "alice")).out).toContain("hello");
    } finally {
      await run("after", "daemon", "stop");
    }
  });

  it("is used again by a restarted daemon when it is put back [retention.restart]", async () => {
    await using daemon = await startTestDaemon({ files: { ".agents/alice.yaml": ALICE } });
    const folder = join(daemon.project, ".workspace");
    const run = (args: readonly string[]) => runInstalled(args, { cwd: daemon.project, env: daemon.env });
    await run(["send", "alice", "hello", "--wait"]);
    await daemon.stop();
    renameSync(folder, `${folder}-away`);
    await using next = await daemon.restart();
    expect((await run(["send", "alice", "while it is away"])).exit).toBe(1);
    renameSync(`${folder}-away`, folder);
    expect(await run(["send", "alice", "back", "--wait"])).toMatchObject({ exit: 0 });
    const said = (await run(["peek", "alice"])).out;
    expect(said).toContain("hello");
    expect(said).not.toContain("while it is away");
    expect(next.errors()).toBe("");
  });

  it("answers the first message after it was put back under a running daemon [retention.put-back]", async () => {
    await using daemon = await startTestDaemon({ files: { ".agents/alice.yaml": ALICE } });
    const folder = join(daemon.project, ".workspace");
    const run = (args: readonly string[]) => runInstalled(args, { cwd: daemon.project, env: daemon.env });
    await run(["send", "alice", "hello", "--wait"]);
    for (let time = 0; time < 4; time += 1) {
      renameSync(folder, `${folder}-away`);
      expect((await run(["send", "alice", "while it is away"])).exit).toBe(1);
      renameSync(`${folder}-away`, folder);
      expect(await run(["send", "alice", `back ${time}`, "--wait"])).toMatchObject({ exit: 0, err: "" });
    }
  });
});
