import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { approve } from "../../../src/operations/approvals/approve.ts";
import { deny } from "../../../src/operations/approvals/deny.ts";
import { listApprovals } from "../../../src/operations/approvals/list-approvals.ts";
import { listDeadLetters } from "../../../src/operations/dead-letters/list-dead-letters.ts";
import { showRun } from "../../../src/operations/runs/show-run.ts";
import { callOk } from "../../support/team/project.ts";
import { eventually, openLiveTestProject, type LiveTestProject } from "../../support/team/running-project.ts";
import { agentFile, REVIEW, workflowFile } from "../../support/team/team.ts";

const SCRIPT = `
- when: make it
  steps:
    - { call: { tool: bash, args: { command: "printf made >> made.txt" } } }
    - { say: "The shell said: {{ result }}" }
- when: hello
  repeat: true
  steps:
    - { say: hello yourself }
`;

const HOST = "model: scripts/alice.yaml\ntools: [bash]\npermissions: { mode: host }\n";

/** Alice may use the shell of this machine, if a person lets her. */
function files(more = HOST): Record<string, string> {
  return {
    "scripts/alice.yaml": SCRIPT,
    ...agentFile("alice", more),
    ...workflowFile("review", "kickoff: '@alice make it'\nagents: { alice: { ref: alice } }\n"),
  };
}

async function question(project: LiveTestProject): Promise<string> {
  let id: string | undefined;
  await eventually("somebody is asked", async () => {
    id = (await callOk(project, person, listApprovals, {})).approvals[0]?.id;
    const run = (await project.runs()).at(-1) ?? (await project.store.read((store) => store.runs.unfinished())).at(-1);
    return id !== undefined && run?.state === "waiting";
  });
  return id ?? "";
}

function made(project: LiveTestProject): boolean {
  return existsSync(join(project.dir, "made.txt"));
}

describe("a tool call that needs approval", () => {
  it("waits without keeping the agent from other work, and is made once it is approved [approval.asked] [approval.approve]", async () => {
    await using project = await openLiveTestProject({ files: files() });
    await project.open("review");
    await project.send("@review", "@alice make it");
    const id = await question(project);
    expect(made(project)).toBe(false);
    await project.send("@review", "@alice hello");
    await project.send("alice", "hello");
    await eventually("alice answers the rest", async () => (await project.said("alice")).length === 2);
    expect(await project.said(REVIEW)).toEqual(["user: @alice make it", "user: @alice hello", "alice: hello yourself"]);
    expect(made(project)).toBe(false);

    await callOk(project, person, approve, { id });
    await project.quiet();
    expect(made(project)).toBe(true);
    expect((await project.said(REVIEW)).at(-1)).toBe("alice: The shell said: (no output)");
    const [first] = await project.runs();
    const last = await project.store.read((store) => store.runs.lastStep(first?.id ?? ""));
    expect(last?.number).toBe(3);
    const { steps } = await callOk(project, person, showRun, { id: first?.id ?? "" });
    const args = JSON.stringify({ command: "printf made >> made.txt" });
    expect(steps.flatMap(({ calls }) => calls)).toEqual([
      { tool: "bash", args, result: null, failed: false },
      { tool: "bash", args, result: "(no output)", failed: false },
    ]);
    const notices = (await project.messages(REVIEW)).filter(({ kind }) => kind === "notice");
    expect(notices.map(({ body }) => body)).toEqual([expect.stringContaining('alice wants to run bash: "printf made')]);
  });

  it("is refused with the person's reason, which the agent is told [approval.deny]", async () => {
    await using project = await openLiveTestProject({ files: files() });
    await project.open("review");
    await project.send("@review", "@alice make it");
    await callOk(project, person, deny, { id: await question(project), reason: "we do not make things here" });
    await project.quiet();
    expect(made(project)).toBe(false);
    expect((await project.said(REVIEW)).at(-1)).toBe(
      "alice: The shell said: A person refused this call: we do not make things here",
    );
    expect((await callOk(project, person, listDeadLetters, {})).deliveries).toEqual([]);
  });

  it("waits over restarts, and is then made as it was asked [approval.survives]", async () => {
    await using first = await openLiveTestProject({ files: files() });
    await first.open("review");
    await first.send("@review", "@alice make it");
    const id = await question(first);
    await using second = await first.restart();
    expect(await question(second)).toBe(id);
    await using project = await second.restart();
    await callOk(project, person, approve, { id });
    await eventually("alice answers", async () => (await project.said(REVIEW)).length === 2);
    expect(made(project)).toBe(true);
    expect((await callOk(project, person, listApprovals, { state: "all" })).approvals).toHaveLength(1);
  });

  it("keeps a workflow from being done, also after a restart", async () => {
    await using first = await openLiveTestProject({ files: files() });
    const space = await first.start("review", { untilIdle: true });
    const id = await question(first);
    const patience = AbortSignal.timeout(600);
    await expect(first.workflows.untilDone(space, patience)).rejects.toMatchObject({ name: "TimeoutError" });
    await using project = await first.restart();
    const done = project.workflows.untilDone(space, new AbortController().signal);
    await callOk(project, person, approve, { id });
    expect(await done).toEqual({ outcome: "answered" });
    expect(made(project)).toBe(true);
  });

  it("is asked for what the agent's permissions say, in the virtual shell too", async () => {
    const permissions = "model: scripts/alice.yaml\ntools: [bash]\npermissions: { ask: ['bash(printf *)'] }\n";
    await using project = await openLiveTestProject({ files: files(permissions) });
    await project.open("review");
    await project.send("@review", "@alice make it");
    await callOk(project, person, approve, { id: await question(project) });
    await project.quiet();
    expect((await project.said(REVIEW)).at(-1)).toBe("alice: The shell said: (no output)");
    expect(made(project)).toBe(false);
  });
});

describe("the tools of a run", () => {
  it("are those the agent's file names: a scripted agent has no shell by itself", async () => {
    await using project = await openLiveTestProject({ files: files("model: scripts/alice.yaml\n") });
    await project.open("review");
    await project.send("@review", "@alice make it");
    await project.quiet();
    expect((await project.said(REVIEW)).at(-1)).toContain('There is no tool "bash"');
  });

  it("must exist: a slip in the file is said when it is read", async () => {
    await using project = await openLiveTestProject({ files: files("model: scripts/alice.yaml\ntools: [bsah]\n") });
    const [problem] = project.definitions.problems();
    expect(problem).toMatchObject({ severity: "error", message: 'There is no tool "bsah".', line: 5, column: 9 });
    expect(problem?.hint).toContain('Did you mean "bash"?');
  });
});
