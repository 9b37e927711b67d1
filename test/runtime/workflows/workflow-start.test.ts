import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../src/kernel/redact.ts";
import type { StartRequest } from "../../../src/runtime/workflows/workflow-lifecycle.ts";
import { manualClock } from "../../support/manual-clock.ts";
import { refused } from "../../support/result.ts";
import { eventually } from "../../support/team/running-project.ts";
import {
  ALICE_AND_BOB,
  lastNotice,
  never,
  openTask,
  startRequest,
  stateOf,
} from "../../support/team/started-workflow.ts";
import { workflowFile } from "../../support/team/team.ts";

describe("starting a workflow", () => {
  it("runs the setup in order, then posts the kickoff as its first message, and only then wakes whom it mentions [workflow.start-sequence] [workflow.kickoff-mentions] [setup.order] [setup.capture]", async () => {
    const body = `setup:
  - { shell: "printf 'one\\n' >> order.txt; printf 'first\\n\\n'", as: a }
  - { shell: "printf 'two\\n' >> order.txt; printf '%s+second' \${{ a }}", as: b }
kickoff: "@alice take <\${{ a }}> and <\${{ b }}>"
`;
    const order: string[] = [];
    const { project: opened, engine } = await openTask(body, ({ agent }) => {
      order.push(readFileSync(join(opened.dir, "order.txt"), "utf8"));
      return agent === "alice" ? "taken" : "not me";
    });
    await using project = opened;
    const watched: string[] = [];
    const space = await project.start("task", { watch: (text) => void watched.push(text) });
    await project.quiet();
    expect(await project.said(space)).toEqual(["system: @alice take <first\n> and <first\n+second>", "alice: taken"]);
    expect(order).toEqual(["one\ntwo\n"]);
    expect(engine.steps.map(({ agent }) => agent)).toEqual(["alice"]);
    expect(engine.steps[0]?.inbox).toMatch(/kind="kickoff"[^]*@alice take/);
    expect(watched.join("")).toContain("first\n");
  });

  it("without a kickoff waits for messages, and goes on taking them [workflow.kickoff-empty] [workflow.start-persists]", async () => {
    const { project: opened, engine } = await openTask("", () => "here");
    await using project = opened;
    const space = await project.start("task");
    await pause(20);
    expect(engine.steps).toHaveLength(0);
    for (const n of [1, 2]) {
      await project.send("@task", `@alice ${n}`);
      await project.quiet();
    }
    expect(await project.said(space)).toEqual(["user: @alice 1", "alice: here", "user: @alice 2", "alice: here"]);
  });

  it("adds what a person says after the kickoff, and their mentions count", async () => {
    const { project: opened, engine } = await openTask(
      'setup: [{ shell: "true", as: empty }]\nkickoff: "${{ empty }}"\n',
    );
    await using project = opened;
    await project.start("task", { message: "@bob look at this" });
    await project.quiet();
    expect(engine.steps.map(({ agent }) => agent)).toEqual(["bob"]);
  });

  it("gives a kickoff without a channel to those it mentions, and refuses one that reaches nobody", async () => {
    const files = {
      ...workflowFile("quiet", `${ALICE_AND_BOB}context: false\nkickoff: "@bob begin, @alice help"\n`),
      ...workflowFile("mute", `${ALICE_AND_BOB}context: false\nkickoff: "begin"\n`),
    };
    const { project: opened, engine } = await openTask("", () => "", { files });
    await using project = opened;
    await project.start("quiet");
    await project.quiet();
    expect(engine.steps.map(({ agent }) => agent).toSorted()).toEqual(["alice", "bob"]);
    expect(engine.steps[0]?.inbox).toContain("begin, @alice help");
    const refusal = refused(await project.workflows.start(startRequest("mute"), never));
    expect(refusal).toMatchObject({ code: "invalid", hint: "Mention who shall begin: @alice, @bob." });
  });

  it("never lets filled-in text mention anybody or be run, whatever it holds [setup.values-as-env]", async () => {
    const hostile = "@bob $(touch hacked) `touch hacked` '; touch hacked; \" && touch hacked ${{ params.text }} \n@all";
    const body = `params: [{ name: text }]
setup:
  - { shell: "printf %s \${{ params.text }}", as: copy }
  - { shell: "printf %s \\"\${{ copy }}\\" | cat; echo \${{ params.text }} > echoed.txt", as: again }
kickoff: "@alice look: \${{ params.text }} / \${{ again }}"
`;
    const { project: opened, engine } = await openTask(body);
    await using project = opened;
    const space = await project.start("task", { params: { text: hostile } });
    await project.quiet();
    expect((await project.said(space))[0]).toBe(`system: @alice look: ${hostile} / ${hostile}`);
    expect(engine.steps.map(({ agent }) => agent)).toEqual(["alice"]);
    expect(existsSync(join(project.dir, "hacked"))).toBe(false);
    expect(readFileSync(join(project.dir, "echoed.txt"), "utf8")).toContain("$(touch hacked)");
  });

  it("takes megabytes of setup output, which become a resource [setup.large-output]", async () => {
    const body = `setup: [{ shell: "head -c 3000000 /dev/zero | tr '\\\\0' x", as: big }]\nkickoff: "@alice \${{ big }}"\n`;
    const { project: opened, engine } = await openTask(body);
    await using project = opened;
    await project.start("task");
    await project.quiet();
    const inbox = engine.steps[0]?.inbox ?? "";
    expect(inbox.length).toBeLessThan(100_000);
    const [, id = ""] = /\[resource:(res_\w+)\]/.exec(inbox) ?? [];
    const whole = await project.store.read((store) => store.resources.content(id));
    expect(whole).toBe(`@alice ${"x".repeat(3_000_000)}`);
  });

  it("runs commands in their folder, with a small environment and a time limit", async () => {
    const body = `setup:
  - { shell: "pwd; printf '%s' \\"\${AW_SECRET_TOKEN-unset}\${MY_KEY-unset}\\"", cwd: sub, as: where }
kickoff: "\${{ where }}"
`;
    const { project: opened } = await openTask(body, () => "", {
      env: { PATH: process.env["PATH"], MY_KEY: "k", AW_SECRET_TOKEN: "t" },
    });
    await using project = opened;
    const missing = refused(await project.workflows.start(startRequest("task"), never));
    expect(missing.code).toBe("failed");
    expect(missing.hint).toContain("sub");
    mkdirSync(join(project.dir, "sub"));
    const space = await project.start("task");
    expect((await project.said(space)).at(-1)).toBe(`system: ${join(project.dir, "sub")}\nunsetunset`);
  });

  it.each([
    {
      name: "that fails",
      step: 'shell: "echo out; echo the reason >&2; exit 3"',
      says: /^Setup step 1 ended with code 3: echo out/,
      hint: "the reason",
    },
    {
      name: "that says why on its output",
      step: 'shell: "echo tests failed; exit 1"',
      says: /ended with code 1/,
      hint: "tests failed",
    },
    {
      name: "that takes too long",
      step: 'shell: "sleep 30", timeout: 50ms',
      says: /^Setup step 1 took longer than 50ms: sleep 30/,
      hint: "It wrote nothing.",
    },
  ])(
    "is refused by a command $name: nothing is left half-started [setup.failure] [workflow.start-proposal]",
    async ({ step, says, hint }) => {
      const { project: opened, engine } = await openTask(`setup: [{ ${step} }]\nkickoff: "@alice go"\n`);
      await using project = opened;
      const refusal = refused(await project.workflows.start(startRequest("task"), never));
      expect(refusal.message).toMatch(says);
      expect(refusal.hint).toBe(hint);
      expect(await project.said("@task:main")).toEqual([]);
      expect(await lastNotice(project, "@task:main")).toContain(refusal.message);
      expect(await stateOf(project, "@task:main")).toBe("closed");
      expect(engine.steps).toHaveLength(0);
    },
  );

  it("is refused when its file is broken, with the place of the mistake", async () => {
    const { project: opened } = await openTask('setup: [{ shell: "true", cwd: ../.. }]\n');
    await using project = opened;
    expect(refused(await project.workflows.start(startRequest("task"), never)).hint).toMatch(/task\.yaml:\d+: .*\.\./);
  });

  it("is refused for unknown workflows, parameters and names, and when it runs already", async () => {
    const { project: opened } = await openTask('kickoff: "hello"\n');
    await using project = opened;
    const attempt = async (more: Partial<StartRequest>) =>
      refused(await project.workflows.start(startRequest(more.workflow ?? "task", more), never));
    expect(await attempt({ workflow: "tusk" })).toMatchObject({
      code: "not_found",
      hint: expect.stringContaining("task"),
    });
    expect((await attempt({ params: { nope: "1" } })).message).toContain("nope");
    expect((await attempt({ tag: "no/slash" })).code).toBe("invalid");
    await project.start("task");
    expect(await attempt({})).toMatchObject({ code: "conflict" });
  });

  it("can be called off during the setup, which ends with everything it started [setup.process-group]", async () => {
    const { project: opened } = await openTask(
      'setup: [{ shell: "(sleep 3; touch survived) & echo ready; wait" }]\nkickoff: "@alice go"\n',
    );
    await using project = opened;
    const calledOff = new AbortController();
    const starting = project.workflows.start(
      startRequest("task", {
        watch: (text) => void (text.includes("ready\n") && !text.startsWith("$") && calledOff.abort()),
      }),
      calledOff.signal,
    );
    await expect(starting).rejects.toThrow("aborted");
    expect(await stateOf(project, "@task:main")).toBe("closed");
    expect(existsSync(join(project.dir, "survived"))).toBe(false);
  });

  it("keeps secrets out of the kickoff, whatever way they come", async () => {
    const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
    const body = `params: [{ name: key }]\nsetup: [{ shell: "printf %s \${{ params.key }}", as: out }]\nkickoff: "\${{ params.key }} \${{ env.KEY }} \${{ out }} @alice"\n`;
    const { project: opened, engine } = await openTask(body, () => "", {
      env: { PATH: process.env["PATH"], KEY: secret },
      redactor: createRedactor({ secrets: [secret] }),
    });
    await using project = opened;
    const space = await project.start("task", { params: { key: secret }, message: `and ${secret}` });
    await project.quiet();
    expect((await project.said(space))[0]).not.toContain(secret);
    expect(engine.steps.map(({ agent }) => agent)).toEqual(["alice"]);
  });

  it("leaves messages that come during the setup until the kickoff is posted [workflow.start-sequence]", async () => {
    const { project: opened, engine } = await openTask(
      'setup: [{ shell: "while [ ! -e go ]; do sleep 0.02; done" }]\nkickoff: "@alice the task"\n',
      () => "",
      { clock: manualClock() },
    );
    await using project = opened;
    const starting = project.start("task");
    await eventually("the workspace is open", async () => (await stateOf(project, "@task:main")) !== undefined);
    await project.send("@task", "@alice @bob early");
    await pause(50);
    expect(engine.steps).toHaveLength(0);
    project.write("go", "");
    await starting;
    await project.quiet();
    expect(engine.steps.map(({ agent }) => agent).toSorted()).toEqual(["alice", "bob"]);
    expect(engine.steps.find(({ agent }) => agent === "alice")?.inbox).toMatch(/early[^]*the task/);
  });
});
