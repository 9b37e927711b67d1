import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { clearSchedule } from "../../../src/operations/schedules/clear-schedule.ts";
import { setSchedule } from "../../../src/operations/schedules/set-schedule.ts";
import { syncSchedules } from "../../../src/operations/schedules/sync-schedules.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";
import { agentFile, REVIEW, TEAM, workflowFile, agentIn } from "../../support/team/team.ts";

const sync = (project: TestProject) => callOk(project, systemCaller, syncSchedules, {});
/** The schedules that changed because the files were read again. */
const followed = async (project: TestProject): Promise<object[]> => {
  const before = project.published.length;
  await project.definitions.refresh();
  return project.published.slice(before).filter(({ type }) => type.startsWith("schedule."));
};
const kept = async (project: TestProject): Promise<string[]> =>
  (await project.store.read((store) => store.schedules.list())).map(
    ({ target, createdBy }) => `${target} by ${createdBy}`,
  );

const DORA = agentFile("dora", "schedule: { wakeup: 2h, prompt: ' Look around. ' }\n");

describe("sync-schedules", () => {
  it("takes over what the files say, once, and lets go of what they no longer say", async () => {
    await using project = await openTestProject({ files: { ...TEAM, ...DORA } });
    expect(await sync(project)).toEqual({ set: ["dora"], cleared: [] });
    expect(project.published.at(-1)).toMatchObject({ type: "schedule.set", target: "dora" });
    const [schedule] = await project.store.read((store) => store.schedules.list());
    expect(schedule).toMatchObject({
      wakeup: { kind: "interval", everyMs: 7_200_000 },
      prompt: "Look around.",
      createdBy: "definition",
    });

    const before = project.published.length;
    expect(await sync(project)).toEqual({ set: [], cleared: [] });
    expect(project.published).toHaveLength(before);

    project.write(".agents/dora.yaml", agentFile("dora", "schedule: { wakeup: 3h }\n")[".agents/dora.yaml"] ?? "");
    expect(await followed(project)).toMatchObject([{ type: "schedule.set", target: "dora" }]);
    project.write(".agents/dora.yaml", agentFile("dora")[".agents/dora.yaml"] ?? "");
    expect(await followed(project)).toMatchObject([{ type: "schedule.cleared", target: "dora" }]);
    expect(await sync(project)).toEqual({ set: [], cleared: [] });
  });

  it("keeps its time when nothing changed, also over a restart", async () => {
    await using first = await openTestProject({ files: { ...TEAM, ...DORA } });
    await sync(first);
    const [before] = await first.store.read((store) => store.schedules.list());
    first.clock.advance(60_000);
    await using project = await first.reopen();
    await sync(project);
    expect(await project.store.read((store) => store.schedules.list())).toEqual([before]);
  });

  it("never touches what a person set; that can be cleared, and the file's cannot", async () => {
    await using project = await openTestProject({ files: { ...TEAM, ...DORA } });
    await callOk(project, person, setSchedule, { target: "dora", wakeup: "1h" });
    expect(await sync(project)).toEqual({ set: [], cleared: [] });
    expect(await kept(project)).toEqual(["dora by user"]);
    await callOk(project, person, clearSchedule, { target: "dora" });
    await sync(project);
    expect(await kept(project)).toEqual(["dora by definition"]);
    expect(await callRefused(project, person, clearSchedule, { target: "dora" })).toMatchObject({
      code: "conflict",
      message: "The schedule of dora is written in its definition.",
    });
  });

  it("knows the schedules a workflow gives to its agents, as long as the workspace is open, wherever it is kept", async () => {
    const entries = `agents:
  dora: { ref: dora }
  ally: { ref: dora }
  bob: { ref: bob, schedule: { wakeup: 10m } }
  helper: { backend: mock, prompt: { system: x }, schedule: { wakeup: 20m } }
`;
    const files = {
      ...TEAM,
      ...DORA,
      ...workflowFile("watch", entries),
      ...workflowFile("scratch", `${entries}workspace: { provider: memory }\n`),
    };
    await using project = await openTestProject({ files });
    for (const workflow of ["watch", "scratch"]) await callOk(project, person, openWorkspace, { workflow });
    expect((await sync(project)).set).toEqual([
      "dora",
      "bob@watch:main",
      "helper@watch:main",
      "bob@scratch:main",
      "helper@scratch:main",
    ]);
    await callOk(project, person, closeWorkspace, { target: "@watch" });
    expect((await sync(project)).cleared).toEqual(["bob@watch:main", "helper@watch:main"]);
    await using next = await project.reopen();
    expect((await sync(next)).cleared).toEqual(["bob@scratch:main", "helper@scratch:main"]);
    expect(await kept(next)).toEqual(["dora by definition"]);
  });

  it("is the system's own business", async () => {
    await using project = await openTestProject({ files: TEAM });
    for (const caller of [person, agentIn(REVIEW, "alice")]) {
      expect(await callRefused(project, caller, syncSchedules, {})).toMatchObject({ code: "forbidden" });
    }
  });
});
