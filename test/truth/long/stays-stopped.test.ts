import { describe, expect, it } from "vitest";
import { commandFolder } from "../../support/daemon/installed-command.ts";

const PATIENT = { timeout: 180_000 };
const SLOW = "name: NAME\nbackend: mock\nmodel: slow.yaml\nprompt: { system: Help. }\n";

describe("after stop --all", () => {
  it("looking starts no work; send goes on, and daemon start too [begin.stopped]", PATIENT, async () => {
    using folder = commandFolder({
      "a/.agents/alice.yaml": SLOW.replace("NAME", "alice"),
      "a/slow.yaml": "- repeat: true\n  steps:\n    - delay: 10m\n    - say: Too late.\n",
      "a/.workflows/w.yaml": "agents: { alice: alice }\n",
    });
    const env = { AGENT_WORKER_PORT: "0" };
    const run = (...args: string[]) => folder.run(args, { cwd: "a", env });
    const running = async (): Promise<number> => {
      const { projects } = JSON.parse((await run("status", "--json")).out) as { projects: { running: number }[] };
      return projects.reduce((sum, each) => sum + each.running, 0);
    };
    const startsWorking = async (): Promise<void> => {
      await expect.poll(running, { timeout: 20_000, interval: 200 }).toBe(1);
    };
    try {
      expect((await run("send", "alice", "work for long")).exit).toBe(0);
      await startsWorking();
      expect(await run("stop", "--all")).toMatchObject({ exit: 0, out: /stays stopped.*agent-worker daemon start\n$/ });

      for (const look of [["ls"], ["peek", "alice"], ["inbox", "alice"], ["runs", "list"], ["doctor"]])
        await run(...look);
      expect((await run("agent", "memory", "alice", "set", "note", "changed while stopped")).exit).toBe(0);
      expect(await running()).toBe(0);
      expect((await run("status")).out).toContain("Stopped with stop --all");
      const { out: listed, err: said } = await run("ls");
      expect(listed).toMatch(/^alice +file +stopped/m);
      expect(said).toContain("All work is stopped, by stop --all.");
      expect(JSON.parse((await run("ls", "--json")).out)).toMatchObject({ stopped: true });

      expect(listed).not.toContain("its turn");
      expect((await run("top", "--once")).out).toMatch(/All work is stopped, by stop --all[^]*^alice +stopped/m);

      expect((await run("send", "alice", "and go on")).exit).toBe(0);
      await startsWorking();
      expect((await run("status")).out).not.toContain("Stopped with");
      expect((await run("ls")).out).toMatch(/^alice +file +running/m);

      await run("stop", "--all");
      await run("ls");
      expect(await running()).toBe(0);
      expect((await run("daemon", "start")).exit).toBe(0);
      await startsWorking();

      await run("daemon", "stop");
      await run("ls");
      await startsWorking();

      expect((await run("start", "w")).exit).toBe(0);
      await run("stop", "--all");
      expect(await run("start", "w")).toMatchObject({ exit: 0, out: /^@w goes on, after stop --all\./ });
      await startsWorking();
      expect(await run("start", "w")).toMatchObject({ exit: 3, err: /is running already/ });
    } finally {
      await run("daemon", "stop");
    }
  });
});
