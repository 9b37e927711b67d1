import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { runInstalled } from "../support/daemon/installed-command.ts";
import { agentFile } from "../support/team/team.ts";

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({
    files: {
      ...agentFile("alice"),
      ".workflows/review.yaml":
        "agents:\n  coder: { backend: mock, prompt: { system: Hi } }\nparams:\n  - { name: topic, default: tests }\n  - { name: depth }\nkickoff: '@coder about ${{ params.topic }}'\n",
    },
  });
  await daemon.run(["start", "review"]);
});
afterAll(() => daemon[Symbol.asyncDispose]());

describe("a name that does not exist", () => {
  it.each([
    ["inbox", "nosuch"],
    ["export", "nosuch"],
    ["runs", "list", "nosuch"],
    ["stats", "nosuch"],
    ["schedule", "nosuch"],
    ["dead", "list", "--agent", "nosuch"],
  ])("is refused by %s %s %s, as by peek [hints.no-such-name]", async (...args) => {
    const { exit, out, err } = await daemon.run(args);
    expect({ exit, out }).toEqual({ exit: 3, out: "" });
    expect(err).toContain('There is no agent called "nosuch".');
  });

  it("is refused where a workspace or its participant is named [hints.no-such-name]", async () => {
    const [runs, stats, inbox] = await Promise.all([
      daemon.run(["runs", "list", "@nosuch"]),
      daemon.run(["stats", "@nosuch"]),
      daemon.run(["inbox", "alice@review"]),
    ]);
    expect(runs).toMatchObject({ exit: 3, err: expect.stringContaining('no workflow called "nosuch"') });
    expect(stats).toMatchObject({ exit: 3, err: expect.stringContaining('no workflow called "nosuch"') });
    expect(inbox).toMatchObject({ exit: 3, err: expect.stringContaining("alice is not a participant") });
  });

  it("is not a name that has nothing yet [hints.no-such-name]", async () => {
    const asked = [
      ["inbox", "alice"],
      ["inbox", "coder"],
      ["inbox", "coder@review"],
      ["export", "alice"],
      ["runs", "list", "alice"],
      ["stats", "alice"],
      ["schedule", "alice"],
      ["schedule", "@review"],
      ["dead", "list", "--agent", "coder"],
      ["runs", "list", "@review:other"],
    ];
    for (const args of asked) expect({ args, exit: (await daemon.run(args)).exit }).toEqual({ args, exit: 0 });
  });
});

describe("what a workflow takes", () => {
  it("is listed as it is typed, and typed otherwise the hint says how [hints.params]", async () => {
    const { out } = await daemon.run(["ls"]);
    expect(out).toContain("-- [--topic tests]");
    const typed = await daemon.run(["start", "review", "--tag", "b", "--", "--topic", "docs"]);
    expect(typed.exit).toBe(0);
    const { exit, err } = await daemon.run(["run", "review", "--topic", "docs"]);
    expect({ exit, err }).toMatchObject({ exit: 2, err: expect.stringContaining("-- --topic VALUE") });
  });
});

describe("a hint for a project that was named", () => {
  it("names it, too [hints.project]", async () => {
    const outside = join(daemon.project, "../outside");
    mkdirSync(outside, { recursive: true });
    const { exit, err } = await runInstalled(["doc", "read", "@nothere", "--project", daemon.project], {
      cwd: outside,
      env: daemon.env,
    });
    expect(exit).toBe(3);
    const started = await runInstalled(["send", "alice@review:x", "hi", "--project", daemon.project], {
      cwd: outside,
      env: daemon.env,
    });
    expect(err + started.err).toContain(`agent-worker --project ${daemon.project} `);
    expect(err + started.err).not.toMatch(/agent-worker (start|run|ls|agent)/);
    const made = await runInstalled(["agent", "create", "newcomer", "--backend", "mock", "--project", daemon.project], {
      cwd: outside,
      env: daemon.env,
    });
    expect(made.out).toContain(`agent-worker --project ${daemon.project} send newcomer`);
  });
});

describe("init", () => {
  it("on the engine that was asked for says so [hints.init-engine]", async () => {
    const { out } = await runInstalled(["init", join(daemon.project, "../team"), "--backend", "mock"], {
      cwd: daemon.project,
      env: daemon.env,
    });
    expect(out).toContain("runs on the scripted engine, as you asked");
    expect(out).not.toContain("was found");
  });
});

describe("check", () => {
  it("blames no agent for a folder that another one left [check.leftover-folder]", async () => {
    daemon.write(".agents/gone/memory/fact.md", "---\nkey: a\n---\nA fact.\n");
    const { exit, err, out } = await daemon.run(["check"]);
    expect(exit).toBe(0);
    expect(err + out).toContain(".agents/gone:1:1: warning: What was remembered in .agents/gone/ belongs to no agent.");
    expect(err + out).not.toContain("alice.yaml");
  });
});
