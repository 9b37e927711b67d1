import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { createRedactor } from "../../../src/kernel/redact.ts";
import { listRuns } from "../../../src/operations/runs/list-runs.ts";
import { showRun } from "../../../src/operations/runs/show-run.ts";
import { callOk, callRefused } from "../../support/team/project.ts";
import { openLiveTestProject } from "../../support/team/running-project.ts";
import { agentFile, workflowFile } from "../../support/team/team.ts";

const SECRET = "hunter2-hunter2-hunter2";
const FILES = {
  ...agentFile("alice", "model: scripts/alice.yaml\n"),
  ...agentFile("bob"),
  "scripts/alice.yaml": `
- when: look
  repeat: true
  steps:
    - { call: { tool: channel_peek, args: { limit: 2 } } }
    - { call: { tool: no_such_tool, args: { password: ${SECRET}, long: ${"x".repeat(5_000)} } } }
    - { say: "I looked." }
`,
  ...workflowFile(
    "review",
    "agents: { alice: { ref: alice }, helper: { backend: mock, prompt: { system: Help. } } }\n",
  ),
};

describe("runs", () => {
  it("[ui.runs] show their steps, what the tools were asked and answered, and what it used", async () => {
    await using project = await openLiveTestProject({ files: FILES, redactor: createRedactor({ secrets: [SECRET] }) });
    await project.open("review");
    const { id: message } = await project.send("@review", "@alice look");
    await project.quiet();
    const { runs } = await callOk(project, person, listRuns, {});
    expect(runs).toMatchObject([
      {
        agent: "alice",
        space: "@review:main",
        state: "ended",
        outcome: "answered",
        detail: "I looked.",
        cause: message,
      },
    ]);
    const shown = await callOk(project, person, showRun, { id: runs[0]?.id ?? "" });
    expect(shown).toMatchObject({ ...runs[0], answers: { id: message, content: "@alice look" } });
    expect(shown.usage).toMatchObject({ runs: 1, steps: 3 });
    expect(shown.steps.map(({ number, calls }) => [number, calls.map(({ tool, failed }) => [tool, failed])])).toEqual([
      [1, [["channel_peek", false]]],
      [2, [["no_such_tool", true]]],
      [3, []],
    ]);
    const [peek, failed] = shown.steps.flatMap(({ calls }) => calls);
    expect(peek).toMatchObject({ args: '{"limit":2}', result: expect.stringContaining("@alice look") });
    expect(failed?.args).not.toContain(SECRET);
    expect(failed?.args.length).toBeLessThan(4_100);
    expect(failed?.args).toMatch(/the rest is not kept\]"\}$/);
    const said = (await project.messages("@review:main")).at(-1);
    expect(said).toMatchObject({ body: "I looked.", run: runs[0]?.id });
  });

  it("[ui.runs] are listed by agent, by workspace and by both, newest first, and the unfinished apart", async () => {
    await using project = await openLiveTestProject({ files: FILES });
    await project.open("review");
    for (const to of ["@review", "alice", "bob", "helper@review"]) {
      await project.send(to, to.startsWith("@") ? "@alice look" : "look");
      await project.quiet();
    }
    const listed = async (input: object) =>
      (await callOk(project, person, listRuns, input)).runs.map(({ agent, space }) => `${agent} ${space}`);
    const all = ["helper @review:main", "bob bob", "alice alice", "alice @review:main"];
    expect(await listed({})).toEqual(all);
    expect(await listed({ limit: 2 })).toEqual(all.slice(0, 2));
    expect(await listed({ target: "alice" })).toEqual(["alice alice", "alice @review:main"]);
    expect(await listed({ target: "@review" })).toEqual(["helper @review:main", "alice @review:main"]);
    expect(await listed({ target: "alice@review" })).toEqual(["alice @review:main"]);
    expect(await listed({ target: "helper@review" })).toEqual(["helper @review:main"]);
    expect(await listed({ unfinished: true })).toEqual([]);
    expect(await callRefused(project, person, showRun, { id: "run_none" })).toMatchObject({ code: "not_found" });
  });

  it("[ui.runs] that wait for a person are among the unfinished, with the call nobody has answered", async () => {
    await using project = await openLiveTestProject({
      files: {
        ...agentFile("cody", "model: scripts/cody.yaml\ntools: [bash]\npermissions: { mode: host }\n"),
        "scripts/cody.yaml":
          "- steps:\n    - { call: { tool: bash, args: { command: 'true' } } }\n    - { say: done }\n",
      },
    });
    await project.send("cody", "go");
    const unfinished = async () => (await callOk(project, person, listRuns, { unfinished: true, target: "cody" })).runs;
    await expect
      .poll(unfinished, { timeout: 10_000 })
      .toMatchObject([{ agent: "cody", state: "waiting", outcome: null }]);
    const [run] = await unfinished();
    const shown = await callOk(project, person, showRun, { id: run?.id ?? "" });
    expect(shown.steps.flatMap(({ calls }) => calls)).toMatchObject([{ tool: "bash", args: '{"command":"true"}' }]);
  });
});
