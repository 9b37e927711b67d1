import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { clearSchedule } from "../../../src/operations/schedules/clear-schedule.ts";
import { fireSchedules } from "../../../src/operations/schedules/fire-schedules.ts";
import { listSchedules } from "../../../src/operations/schedules/list-schedules.ts";
import { setSchedule } from "../../../src/operations/schedules/set-schedule.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";
import { agentFile, agentIn, openTeam, REVIEW, TEAM, workflowFile } from "../../support/team/team.ts";

const iso = (ms: number): string => new Date(ms).toISOString();

async function schedules(project: TestProject, target?: string) {
  return (await callOk(project, person, listSchedules, target === undefined ? {} : { target })).schedules;
}

describe("set-schedule", () => {
  it("keeps a schedule with its prompt across restarts, and replaces an earlier one [schedule.set]", async () => {
    await using first = await openTeam();
    const start = first.clock.now();
    const set = await callOk(first, person, setSchedule, {
      target: "alice",
      wakeup: "5m",
      prompt: " Check the reviews. ",
    });
    expect(set).toEqual({
      target: "alice",
      wakeup: "5m",
      state: "waiting",
      reason: null,
      paused: false,
      defined: false,
      timeZone: null,
      prompt: "Check the reviews.",
      agents: ["alice"],
      nextAt: iso(start + 300_000),
      lastFiredAt: null,
    });
    expect(first.published.at(-1)).toMatchObject({ type: "schedule.set", target: "alice" });
    await using project = await first.reopen();
    expect(await schedules(project)).toEqual([set]);
    project.clock.advance(60_000);
    const replaced = await callOk(project, person, setSchedule, { target: "alice@global", wakeup: "1h" });
    expect(replaced).toMatchObject({ target: "alice", prompt: null, nextAt: iso(start + 60_000 + 3_600_000) });
    expect(await schedules(project)).toEqual([replaced]);
  });

  it("takes cron expressions with a time zone", async () => {
    await using project = await openTeam();
    const set = await callOk(project, person, setSchedule, {
      target: "bob@review",
      wakeup: "0 9 * * 1-5",
      timeZone: "Asia/Tokyo",
    });
    expect(set).toMatchObject({ target: "bob@review", wakeup: "0 9 * * 1-5", timeZone: "Asia/Tokyo", agents: ["bob"] });
    expect(set.nextAt).toBe("2026-01-06T00:00:00.000Z");
  });

  it("is kept by target: the same agent in direct messages, in a workspace and in another one", async () => {
    await using project = await openTeam();
    for (const target of ["alice", "alice@review", "alice@review:pr-1", "@review:pr-1"]) {
      await callOk(project, person, setSchedule, { target, wakeup: "10m" });
    }
    expect((await schedules(project)).map(({ target }) => target)).toEqual([
      "@review:pr-1",
      "alice",
      "alice@review",
      "alice@review:pr-1",
    ]);
    expect((await schedules(project, "alice@review:main")).map(({ target }) => target)).toEqual(["alice@review"]);
  });

  it("refuses unknown agents, workflows and participants, bad rules, and agents who ask; keeps nothing then", async () => {
    await using project = await openTeam();
    const attempt = (data: object) => callRefused(project, person, setSchedule, { wakeup: "5m", ...data });
    const before = project.published.length;
    expect(await attempt({ target: "alic" })).toMatchObject({
      code: "not_found",
      hint: expect.stringContaining("alice"),
    });
    expect(await attempt({ target: "@reviw" })).toMatchObject({
      code: "not_found",
      hint: expect.stringContaining("review"),
    });
    expect(await attempt({ target: "zoe@review" })).toMatchObject({ code: "not_participant" });
    expect(await attempt({ target: "alice", wakeup: "sometimes" })).toMatchObject({
      code: "invalid",
      hint: expect.stringContaining("5m"),
    });
    expect(await attempt({ target: "alice", wakeup: "1s" })).toMatchObject({ code: "invalid" });
    expect(await attempt({ target: "alice", wakeup: "0 9 * * *", timeZone: "Mars/Base" })).toMatchObject({
      code: "invalid",
    });
    expect(await attempt({ target: "alice@" })).toMatchObject({ code: "invalid" });
    expect(
      await callRefused(project, agentIn(REVIEW, "alice"), setSchedule, { target: "alice", wakeup: "5m" }),
    ).toMatchObject({
      code: "forbidden",
    });
    expect(await schedules(project)).toEqual([]);
    expect(project.published).toHaveLength(before);
  });
});

describe("list-schedules", () => {
  it("shows target, rule and next time [schedule.list]", async () => {
    await using project = await openTeam();
    await callOk(project, person, setSchedule, { target: "bob", wakeup: "1h30m" });
    await callOk(project, person, setSchedule, {
      target: "alice",
      wakeup: "@daily",
      timeZone: "UTC",
      prompt: "Report.",
    });
    expect(await schedules(project)).toMatchObject([
      {
        target: "alice",
        wakeup: "@daily",
        state: "waiting",
        timeZone: "UTC",
        prompt: "Report.",
        nextAt: "2026-01-06T00:00:00.000Z",
      },
      { target: "bob", wakeup: "1h30m", timeZone: null, prompt: null, nextAt: "2026-01-05T10:30:00.000Z" },
    ]);
    expect(await callRefused(project, agentIn(REVIEW, "alice"), listSchedules, {})).toMatchObject({
      code: "forbidden",
    });
  });

  it("shows whom the schedule of a workspace wakes: its agents without one of their own [schedule.workspace-default]", async () => {
    const files = {
      ...TEAM,
      ...agentFile("dora", "schedule: { wakeup: 2h }\n"),
      ...workflowFile(
        "watch",
        "agents:\n  alice: { ref: alice }\n  bob: { ref: bob }\n  dora: { ref: dora }\n  helper: { backend: mock, prompt: { system: x } }\n",
      ),
    };
    await using project = await openTestProject({ files });
    const beforeOpening = await callOk(project, person, setSchedule, { target: "@watch", wakeup: "15m" });
    expect(beforeOpening.agents).toEqual([]);
    await callOk(project, person, openWorkspace, { workflow: "watch" });
    expect((await schedules(project, "@watch"))[0]?.agents).toEqual(["alice", "bob", "helper"]);
    await callOk(project, person, setSchedule, { target: "bob@watch", wakeup: "1h" });
    await callOk(project, person, setSchedule, { target: "alice@watch:other", wakeup: "1h" });
    expect((await schedules(project, "@watch"))[0]?.agents).toEqual(["alice", "helper"]);
    await callOk(project, person, clearSchedule, { target: "bob@watch" });
    expect((await schedules(project, "@watch"))[0]?.agents).toEqual(["alice", "bob", "helper"]);
  });

  it("knows and wakes the agents of a workspace in memory", async () => {
    const files = {
      ...TEAM,
      ...workflowFile("scratch", "agents: { alice: { ref: alice } }\nworkspace: { provider: memory }\n"),
    };
    await using project = await openTestProject({ files });
    await callOk(project, person, openWorkspace, { workflow: "scratch" });
    await callOk(project, person, setSchedule, { target: "@scratch", wakeup: "15m" });
    expect(await schedules(project)).toMatchObject([{ target: "@scratch", agents: ["alice"] }]);
    project.clock.advance(15 * 60_000);
    await callOk(project, systemCaller, fireSchedules, {});
    expect(await project.store.read((store) => store.deliveries.countOpenByMailbox("@scratch:main"))).toEqual(
      new Map([["alice", 1]]),
    );
  });
});

describe("clear-schedule", () => {
  it("takes it away for good [schedule.clear]", async () => {
    await using first = await openTeam();
    await callOk(first, person, setSchedule, { target: "alice@review", wakeup: "5m" });
    expect(await callOk(first, person, clearSchedule, { target: "alice@review:main" })).toEqual({
      target: "alice@review",
    });
    expect(first.published.at(-1)).toMatchObject({ type: "schedule.cleared", target: "alice@review:main" });
    await using project = await first.reopen();
    project.clock.advance(86_400_000);
    expect(await project.store.read((store) => store.schedules.due(project.clock.now()))).toEqual([]);
    const before = project.published.length;
    expect(await callRefused(project, person, clearSchedule, { target: "alice@review" })).toMatchObject({
      code: "not_found",
      message: "There is no schedule for alice@review.",
    });
    expect(project.published).toHaveLength(before);
    expect(await callRefused(project, agentIn(REVIEW, "alice"), clearSchedule, { target: "alice" })).toMatchObject({
      code: "forbidden",
    });
  });
});
