import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { clearSchedule } from "../../../src/operations/schedules/clear-schedule.ts";
import { listSchedules } from "../../../src/operations/schedules/list-schedules.ts";
import { setSchedule } from "../../../src/operations/schedules/set-schedule.ts";
import { scriptedEngine, type Script } from "../../../src/testing/scripted-engine.ts";
import { gate } from "../../support/gate.ts";
import { manualClock, type ManualClock } from "../../support/manual-clock.ts";
import { callOk } from "../../support/team/project.ts";
import { eventually, openLiveTestProject, type LiveTestProject } from "../../support/team/running-project.ts";
import { agentFile, TEAM, workflowFile } from "../../support/team/team.ts";

const MINUTE = 60_000;

async function openAt(script: Script = () => "looked around", files: Readonly<Record<string, string>> = {}) {
  const clock = manualClock();
  const engine = scriptedEngine(script);
  const project = await openLiveTestProject({ files: { ...TEAM, ...files }, engine, clock });
  await settle(project);
  return { project, clock, engine };
}

/** Lets everything that is due now happen. */
async function settle(project: LiveTestProject): Promise<void> {
  for (let n = 0; n < 20; n += 1) await turn();
  await project.quiet();
  for (let n = 0; n < 20; n += 1) await turn();
}

/** Lets time pass a little at a time, and everything happen that is due on the way. */
async function pass(project: LiveTestProject, clock: ManualClock, ms: number, by = MINUTE): Promise<void> {
  for (let left = ms; left > 0; left -= by) {
    clock.advance(Math.min(by, left));
    await settle(project);
  }
}

describe("a schedule", () => {
  it("wakes the agent with its prompt, in the background [schedule.prompt-delivered] [route.schedule-background]", async () => {
    const { project: opened, clock, engine } = await openAt();
    await using project = opened;
    await callOk(project, person, setSchedule, { target: "alice", wakeup: "5m", prompt: "Look at the open reviews." });
    await pass(project, clock, 4 * MINUTE);
    expect(engine.steps).toHaveLength(0);
    await pass(project, clock, MINUTE);
    expect(engine.steps[0]?.inbox).toMatch(
      /from="system"[^>]*kind="prompt"[^>]*lane="background"[^]*Look at the open reviews\./,
    );
    expect(await project.runs()).toMatchObject([{ lane: "background", outcome: "answered" }]);
    expect(await project.said("alice")).toEqual(["system: Look at the open reviews.", "alice: looked around"]);
  });

  it("by interval counts from the last activity; by cron it does not [schedule.interval-activity] [schedule.cron]", async () => {
    const { project: opened, clock, engine } = await openAt();
    await using project = opened;
    await callOk(project, person, setSchedule, { target: "alice", wakeup: "10m", prompt: "interval" });
    await callOk(project, person, setSchedule, { target: "bob", wakeup: "*/10 * * * *", prompt: "cron" });
    await pass(project, clock, 6 * MINUTE);
    await project.send("alice", "hello");
    await project.send("bob", "hello");
    await settle(project);
    await pass(project, clock, 6 * MINUTE);
    expect(engine.steps.map(({ agent, inbox }) => [agent, inbox.match(/interval|cron|hello/)?.[0]])).toEqual([
      ["alice", "hello"],
      ["bob", "hello"],
      ["bob", "cron"],
    ]);
    await pass(project, clock, 4 * MINUTE);
    expect(engine.steps.at(-1)).toMatchObject({ agent: "alice", inbox: expect.stringContaining("interval") });
  });

  it("[schedule.same-length] of an agent that finds nothing to do keeps its interval", async () => {
    const { project: opened, clock, engine } = await openAt(() => "");
    await using project = opened;
    const times: number[] = [];
    await callOk(project, person, setSchedule, { target: "alice", wakeup: "5m" });
    for (let minute = 1; minute <= 30; minute += 1) {
      const before = engine.steps.length;
      await pass(project, clock, MINUTE);
      if (engine.steps.length > before) times.push(minute);
    }
    expect(times).toEqual([5, 10, 15, 20, 25, 30]);
  });

  it("of an agent that is busy adds one prompt, and does not pile up [schedule.while-running]", async () => {
    const busy = gate();
    const {
      project: opened,
      clock,
      engine,
    } = await openAt(async () => {
      if (engine.steps.length === 1) await busy.passed;
      return "done";
    });
    await using project = opened;
    await callOk(project, person, setSchedule, { target: "alice", wakeup: "*/5 * * * *", prompt: "tick" });
    await settle(project);
    clock.advance(5 * MINUTE);
    await eventually("alice is busy", () => engine.steps.length === 1);
    for (let n = 0; n < 20; n += 1) {
      clock.advance(5 * MINUTE);
      for (let m = 0; m < 20; m += 1) await turn();
    }
    expect(await project.said("alice")).toEqual(["system: tick", "system: tick"]);
    busy.open();
    await project.quiet();
    expect(engine.steps).toHaveLength(2);
  });

  it("that was missed many times fires once [schedule.missed-once]", async () => {
    const { project: opened, clock, engine } = await openAt();
    await callOk(opened, person, setSchedule, { target: "alice", wakeup: "0 * * * *", prompt: "hourly" });
    await callOk(opened, person, setSchedule, { target: "bob", wakeup: "10m", prompt: "often" });
    const closing = opened.restart();
    clock.advance(8 * 60 * MINUTE);
    await using project = await closing;
    await eventually("both are woken", () => engine.steps.length === 2);
    await pass(project, clock, 2 * MINUTE);
    expect(engine.steps.map(({ agent }) => agent).toSorted()).toEqual(["alice", "bob"]);
  });

  it("[schedule.workspace] [schedule.rests] of a workspace wakes the agent there while it runs, and rests otherwise", async () => {
    const { project: opened, clock } = await openAt();
    await using project = opened;
    await callOk(project, person, setSchedule, { target: "alice@review:pr-1", wakeup: "*/5 * * * *", prompt: "tick" });
    await callOk(project, person, setSchedule, { target: "bob@review:pr-1", wakeup: "5m", prompt: "tock" });
    const shown = async () => (await callOk(project, person, listSchedules, {})).schedules;
    await pass(project, clock, 12 * MINUTE);
    expect(await project.said("alice")).toEqual([]);
    expect(await project.said("bob")).toEqual([]);
    const rests = { state: "resting", nextAt: null, reason: "@review:pr-1 is not running." };
    expect(await shown()).toMatchObject([rests, rests]);
    await project.open("review", "pr-1");
    await settle(project);
    expect(await project.said("@review:pr-1"), "nothing was missed while they rested").toEqual([]);
    expect(await shown()).toMatchObject([{ state: "waiting" }, { state: "waiting" }]);
    await pass(project, clock, 5 * MINUTE);
    const said = await project.said("@review:pr-1");
    expect(said.filter((line) => line.startsWith("system")).toSorted()).toEqual(["system: tick", "system: tock"]);
  });
});

describe("a schedule written in a definition", () => {
  const files = agentFile(
    "alice",
    "schedule: { wakeup: '*/5 * * * *', prompt: Review what is open., workspace: review }\n",
  );

  it("wakes the agent in a running workspace of the workflow it names, and else in its direct messages [schedule.workspace] [schedule.fallback-dm]", async () => {
    const { project: opened, clock } = await openAt(undefined, files);
    await using project = opened;
    await pass(project, clock, 5 * MINUTE);
    expect(await project.said("alice")).toEqual(["system: Review what is open.", "alice: looked around"]);
    await project.open("review", "pr-7");
    await pass(project, clock, 5 * MINUTE);
    expect(await project.said("@review:pr-7")).toEqual(["system: Review what is open.", "alice: looked around"]);
    await project.close("@review:pr-7");
    await pass(project, clock, 5 * MINUTE);
    expect(await project.said("alice")).toHaveLength(4);
  });

  it("follows the file: changed, taken out, and back again", async () => {
    const { project: opened, clock, engine } = await openAt(undefined, files);
    await using project = opened;
    project.write(
      ".agents/alice.yaml",
      agentFile("alice", "schedule: { wakeup: 20m, prompt: Rest more. }\n")[".agents/alice.yaml"] ?? "",
    );
    await pass(project, clock, 2 * MINUTE);
    await pass(project, clock, 17 * MINUTE);
    expect(engine.steps).toHaveLength(0);
    await pass(project, clock, 3 * MINUTE);
    expect(engine.steps.map(({ inbox }) => inbox.includes("Rest more."))).toEqual([true]);
    project.write(".agents/alice.yaml", agentFile("alice")[".agents/alice.yaml"] ?? "");
    await pass(project, clock, 60 * MINUTE);
    expect(engine.steps).toHaveLength(1);
  });

  it("gives way to one that a person set, and holds again when that is cleared", async () => {
    const { project: opened, clock, engine } = await openAt(undefined, files);
    await using project = opened;
    await callOk(project, person, setSchedule, { target: "alice", wakeup: "7 * * * *", prompt: "Mine." });
    await pass(project, clock, 10 * MINUTE);
    expect(engine.steps.map(({ inbox }) => inbox.includes("Mine."))).toEqual([true]);
    await callOk(project, person, clearSchedule, { target: "alice" });
    await pass(project, clock, 5 * MINUTE);
    expect(engine.steps.at(-1)?.inbox).toContain("Review what is open.");
  });

  it("by a workflow for its agents lives with the workspace, and an agent's own fires only once", async () => {
    const body = `agents:
  alice: { ref: alice }
  bob: { ref: bob, schedule: { wakeup: "*/10 * * * *", prompt: Bob here. } }
  helper: { backend: mock, prompt: { system: You help. }, schedule: { wakeup: "*/10 * * * *", prompt: Help. } }
`;
    const { project: opened, clock, engine } = await openAt(undefined, { ...files, ...workflowFile("watch", body) });
    await using project = opened;
    await project.open("watch");
    await settle(project);
    await pass(project, clock, 10 * MINUTE);
    const woken = engine.steps.map(({ agent, inbox }) => `${agent} ${inbox.match(/Review|Bob|Help/)?.[0]}`);
    expect(woken.toSorted()).toEqual(["alice Review", "alice Review", "bob Bob", "helper Help"]);
    expect((await project.said("@watch:main")).filter((line) => line.startsWith("system:")).toSorted()).toEqual([
      "system: Bob here.",
      "system: Help.",
    ]);
    await project.close("@watch");
    await settle(project);
    const before = engine.steps.length;
    await pass(project, clock, 20 * MINUTE);
    expect(engine.steps.slice(before).every(({ agent }) => agent === "alice")).toBe(true);
    expect(await project.store.read((store) => store.schedules.list())).toMatchObject([
      { target: "alice", createdBy: "definition" },
    ]);
  });
});
