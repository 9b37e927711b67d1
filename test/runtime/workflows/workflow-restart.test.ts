import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/kernel/caller.ts";
import { beginWorkflow } from "../../../src/operations/workspaces/begin-workflow.ts";
import { untilAborted } from "../../support/engine/until-aborted.ts";
import { callOk } from "../../support/team/project.ts";
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

describe("a workflow when the project is opened again", () => {
  it("goes on where it was, without a second setup or kickoff [workflow.restart]", async () => {
    const { project: opened, engine } = await openTask(
      'setup: [{ shell: "echo x >> setups.txt" }]\nkickoff: "@alice go"\n',
      () => "here",
    );
    const space = await opened.start("task");
    await opened.quiet();
    await using project = await opened.restart();
    await project.send("@task", "@alice again");
    await project.quiet();
    expect(readFileSync(join(project.dir, "setups.txt"), "utf8")).toBe("x\n");
    expect(await project.said(space)).toEqual(["user: @alice go", "alice: here", "user: @alice again", "alice: here"]);
    expect(engine.steps).toHaveLength(2);
  });

  it("that was to end when idle still does", async () => {
    let life = 1;
    const { project: opened, engine } = await openTask('kickoff: "@alice go"\n', ({ signal }) =>
      life === 1 ? untilAborted(signal) : "finished",
    );
    const space = await opened.start("task", { untilIdle: true });
    await eventually("alice works", () => engine.steps.length === 1);
    life = 2;
    await using project = await opened.restart();
    await eventually("it is closed", async () => (await stateOf(project, space)) === "closed");
    expect(await project.said(space)).toEqual(["user: @alice go", "alice: finished"]);
  });

  it("that was interrupted in its setup is closed, says so, and can be started again", async () => {
    const { project: opened, engine } = await openTask(
      'setup: [{ shell: "[ -e ok ] || sleep 30" }]\nkickoff: "@alice go"\n',
    );
    const starting = opened.workflows.start(startRequest("task"), never).catch((error: unknown) => error);
    await eventually("the setup runs", async () =>
      (await opened.store.read((store) => store.instances.running())).some(({ phase }) => phase === "setup"),
    );
    await using project = await opened.restart();
    await starting;
    expect(await stateOf(project, "@task:main")).toBe("closed");
    expect(await lastNotice(project, "@task:main")).toMatch(/interrupted/);
    project.write("ok", "");
    await project.start("task");
    await project.quiet();
    expect(engine.steps).toHaveLength(1);
  });

  it("whose daemon died during its setup is closed, and what came meanwhile waits until it goes on", async () => {
    const { project: opened, engine } = await openTask('setup: [{ shell: "true" }]\nkickoff: "@alice go"\n');
    await callOk(opened, systemCaller, beginWorkflow, { workflow: "task", untilIdle: true });
    await opened.send("@task", "@bob early");
    await using project = await opened.restart();
    expect(await stateOf(project, "@task:main")).toBe("closed");
    expect(await lastNotice(project, "@task:main")).toBe("The setup was interrupted. Start the workflow again.");
    expect(engine.steps).toHaveLength(0);
    await project.start("task", { continue: true });
    await project.quiet();
    expect(engine.steps.map(({ agent }) => agent).toSorted()).toEqual(["alice", "bob"]);
  });

  it("that is kept in memory works while it runs, and is gone afterwards [workspace.provider-memory]", async () => {
    const files = workflowFile("scratch", `${ALICE_AND_BOB}workspace: { provider: memory }\nkickoff: "@alice go"\n`);
    const { project: opened } = await openTask("", ({ agent }) => (agent === "alice" ? "@bob look" : "seen"), {
      files,
    });
    const space = await opened.start("scratch", { untilIdle: true });
    expect(await opened.workflows.untilDone(space, never)).toEqual({ outcome: "answered" });
    expect(await opened.said(space)).toEqual(["user: @alice go", "alice: @bob look", "bob: seen"]);
    await using project = await opened.restart();
    expect(await project.said(space)).toEqual([]);
    expect(await project.store.read((store) => store.workspaces.list())).toEqual([]);
    expect(await project.start("scratch")).toBe(space);
  });
});
