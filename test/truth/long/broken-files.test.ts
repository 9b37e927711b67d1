import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { definedAgent, says } from "../../support/team/defined-agent.ts";

let daemon: CommandedDaemon;

beforeAll(async () => {
  daemon = await startCommandedDaemon({
    files: {
      "scripts/one.yaml": says("one"),
      ".agents/al.yaml": definedAgent("al", "one"),
      ".workflows/tw.yaml": "name: tw\nagents: { al: { ref: al } }\nkickoff: '@al hello'\n",
    },
  });
});
afterAll(() => daemon[Symbol.asyncDispose]());

async function said(target: string): Promise<string> {
  return (await daemon.run(["peek", target])).out;
}

describe("an agent whose file has a mistake", () => {
  it("[definitions.broken] run and serve say where the mistake is, with exit code 2", async () => {
    daemon.write(".agents/bad.yaml", "name: bad\npromt: { system: x }\n");
    for (const command of ["run", "serve"]) {
      const { exit, err } = await daemon.run([command, "bad", "hi"]);
      expect(err).toMatch(/The agent "bad" cannot be used\.[\s\S]*\.agents\/bad\.yaml:2/);
      expect(exit).toBe(2);
    }
  });

  it("[definitions.broken] is no agent with nothing in it: whatever asks for it says where the mistake is", async () => {
    for (const command of ["peek", "export", "schedule", "inbox", "stats"]) {
      const { exit, err } = await daemon.run([command, "bad"]);
      expect({ command, exit, err }).toMatchObject({
        command,
        exit: 2,
        err: expect.stringContaining(".agents/bad.yaml"),
      });
    }
  });

  it("[definitions.broken] can be deleted", async () => {
    daemon.write(".agents/bad.yaml", "name: bad\npromt: { system: x }\n");
    expect(await daemon.run(["agent", "delete", "bad"])).toMatchObject({ exit: 3, err: /needs a yes/ });
    expect(await daemon.run(["agent", "delete", "bad", "--yes"])).toMatchObject({ exit: 0, out: /Deleted bad/ });
    expect(existsSync(join(daemon.project, ".agents/bad.yaml"))).toBe(false);
    expect((await daemon.run(["ls"])).out).not.toContain("bad");
  });
});

describe("an unknown key", () => {
  it("[definitions.unknown-key] keeps an agent from running: its messages wait until the file is mended", async () => {
    daemon.write(".agents/key.yaml", definedAgent("key", "one", "permisions: { deny: [bash] }\n"));
    expect(await daemon.run(["check"])).toMatchObject({ exit: 2 });
    const sent = await daemon.run(["send", "key", "hello"]);
    expect(sent.out).toMatch(/\.agents\/key\.yaml:5/);
    const { out, err } = await daemon.run(["ls"]);
    expect(out).toMatch(/key +\S* *broken +1\/0\/0/);
    expect(err).toMatch(/\.agents\/key\.yaml:5: Unknown key "permisions"/);
    expect(await said("key")).not.toContain("one");
    daemon.write(".agents/key.yaml", definedAgent("key", "one", "permissions: { deny: [bash] }\n"));
    await vi.waitUntil(async () => (await said("key")).includes("one"), { timeout: 15_000, interval: 50 });
  });

  it("[definitions.unknown-key] keeps a workflow from starting", async () => {
    daemon.write(".workflows/uk.yaml", "name: uk\nagents: { al: { ref: al } }\nkickof: '@al hi'\n");
    for (const command of ["start", "run"]) {
      const { exit, err } = await daemon.run([command, "uk"]);
      expect(err).toMatch(/The workflow "uk" cannot be used[\s\S]*\.workflows\/uk\.yaml:3/);
      expect(exit).toBe(2);
    }
    rmSync(join(daemon.project, ".workflows/uk.yaml"));
  });

  it("[definitions.unknown-key] in the project file keeps everything from running, also after a restart", async () => {
    daemon.write("moniro.yaml", "defualts: { permissions: { deny: [bash] } }\n");
    const { out, err } = await daemon.run(["ls"]);
    expect(out).toMatch(/al +\S* *broken/);
    expect(out).toMatch(/tw +broken/);
    expect(err).toContain("moniro.yaml:1");
    expect(await daemon.run(["run", "tw"])).toMatchObject({ exit: 2, err: /moniro\.yaml:1/ });
    expect(await daemon.run(["run", "al", "hello"])).toMatchObject({ exit: 2, err: /moniro\.yaml:1/ });
    expect(await daemon.run(["send", "al", "waits"])).toMatchObject({ exit: 0, out: /moniro\.yaml:1/ });
    await using second = await startCommandedDaemon({
      files: { "moniro.yaml": "defualts: {}\n", ".agents/bo.yaml": definedAgent("bo", "one") },
    });
    const opened = await second.run(["ls"]);
    expect(opened).toMatchObject({ exit: 0, err: /moniro\.yaml:1/ });
    expect(opened.out).toMatch(/bo +\S* *broken/);
    rmSync(join(daemon.project, "moniro.yaml"));
    await vi.waitUntil(async () => (await said("al")).includes("one"), { timeout: 15_000, interval: 50 });
  });
});

describe("a project file that cannot be read", () => {
  it("[definitions.broken] makes everything broken, and its mistake is the only one that is shown", async () => {
    writeFileSync(join(daemon.project, "moniro.yaml"), "defaults: [\n");
    const { out, err } = await daemon.run(["ls"]);
    expect(out).toMatch(/al +\S* *broken/);
    expect(out).toMatch(/tw +broken/);
    expect(
      err
        .trim()
        .split("\n")
        .filter((line) => !line.startsWith("moniro.yaml:")),
    ).toEqual([]);
    const checked = await daemon.run(["check"]);
    expect(checked).toMatchObject({ exit: 2, out: /0 agents, 0 workflows, 1 problem/ });
    rmSync(join(daemon.project, "moniro.yaml"));
    mkdirSync(join(daemon.project, ".agents"), { recursive: true });
    expect((await daemon.run(["ls"])).out).toMatch(/al +file +idle/);
  });
});
