import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { stopAgent } from "../../../src/runtime/loop/stop-agent.ts";
import { castVote } from "../../../src/operations/ballots/cast-vote.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { addRule } from "../../../src/operations/rules/add-rule.ts";
import { EngineFailure } from "../../../src/ports/engine.ts";
import { untilAborted } from "../../support/engine/until-aborted.ts";
import { gate } from "../../support/gate.ts";
import { manualClock } from "../../support/manual-clock.ts";
import { callOk } from "../../support/team/project.ts";
import { eventually } from "../../support/team/running-project.ts";
import { ALICE_AND_BOB, lastNotice, never, openTask, stateOf } from "../../support/team/started-workflow.ts";
import { agentIn, workflowFile } from "../../support/team/team.ts";

describe("a run of a workflow", () => {
  it("ends when nothing is left to do, and not while an agent works [workflow.run-idle]", async () => {
    const slow = gate();
    const { project: opened } = await openTask('kickoff: "@alice go"\n', async ({ agent }) => {
      if (agent === "bob") await slow.passed;
      return agent === "alice" ? "@bob your turn" : "done";
    });
    await using project = opened;
    const space = await project.start("task", { untilIdle: true });
    let over = false;
    const done = project.workflows.untilDone(space, never).finally(() => (over = true));
    await eventually("bob works", async () => (await project.said(space)).length === 2);
    await pause(300);
    expect(over).toBe(false);
    slow.open();
    expect(await done).toEqual({ outcome: "answered" });
    expect(await stateOf(project, space)).toBe("closed");
    expect(await project.said(space)).toHaveLength(3);
  });

  it("does not end while something reacts to what happened [idle.held]", async () => {
    const { project: opened } = await openTask('kickoff: "@alice go"\n', () => "done");
    await using project = opened;
    const space = await project.start("task", { untilIdle: true });
    const held = project.holds.hold(space);
    let over = false;
    const done = project.workflows.untilDone(space, never).finally(() => (over = true));
    await project.quiet();
    await pause(100);
    expect(over).toBe(false);
    held[Symbol.dispose]();
    expect(await done).toEqual({ outcome: "answered" });
  });

  it("does not end before the rules have acted on its last message [idle.held]", async () => {
    const { project: opened } = await openTask('kickoff: "@alice go"\n', ({ agent }) =>
      agent === "alice" ? "it is ready" : "seen",
    );
    await using project = opened;
    const space = await project.start("task");
    await project.quiet();
    const then = { propose: "send-message", data: { message: "@bob look at it" } };
    const when = { on: "message", from: "alice" } as const;
    await callOk(project, person, addRule, { target: "@task", name: "look", when, then });
    for (const round of [1, 2, 3]) {
      await project.send("@task", `@alice once more ${round}`);
      await project.runtime.idle.untilIdle(space, never);
      const said = (await project.said(space)).filter((each) => each === "bob: seen");
      expect(said).toHaveLength(round);
    }
  });

  it("failed when it left a dead letter, and not because of those of an earlier one", async () => {
    let broken = true;
    const { project: opened } = await openTask('kickoff: "@alice go"\n', () => {
      if (broken) throw new EngineFailure("permanent", "no such model");
      return "fine";
    });
    await using project = opened;
    const first = await project.start("task", { untilIdle: true });
    expect(await project.workflows.untilDone(first, never)).toEqual({ outcome: "failed" });
    broken = false;
    const second = await project.start("task", { untilIdle: true });
    expect(await project.workflows.untilDone(second, never)).toEqual({ outcome: "answered" });
  });

  it("does not wait for what its agents do elsewhere [idle.per-workspace]", async () => {
    const slow = gate();
    const { project: opened } = await openTask('kickoff: "@bob go"\n', async ({ inbox }) => {
      if (inbox.includes("elsewhere")) await slow.passed;
      return "done";
    });
    await using project = opened;
    await project.open("review");
    await project.send("@review", "@alice elsewhere");
    await project.send("alice", "elsewhere too");
    const space = await project.start("task", { untilIdle: true });
    expect(await project.workflows.untilDone(space, never)).toEqual({ outcome: "answered" });
    slow.open();
    await project.quiet();
  });

  it("waits for an open ballot [idle.ballot]", async () => {
    const { project: opened } = await openTask("");
    await using project = opened;
    const space = await project.start("task");
    const { id } = await callOk(project, person, createBallot, {
      target: "@task",
      type: "decision",
      title: "Now?",
      options: ["yes", "no"],
      voters: ["alice"],
    });
    let over = false;
    const done = project.workflows.untilDone(space, never).finally(() => (over = true));
    await project.quiet();
    await pause(300);
    expect(over).toBe(false);
    await callOk(project, agentIn(space, "alice"), castVote, { id, option: "yes" });
    expect(await done).toEqual({ outcome: "silent" });
  });

  it("kept in memory ends its ballots in time all the same", async () => {
    const clock = manualClock();
    const files = workflowFile("scratch", `${ALICE_AND_BOB}workspace: { provider: memory }\n`);
    const { project: opened } = await openTask("", () => "", { files, clock });
    await using project = opened;
    await project.open("scratch");
    await callOk(project, person, createBallot, {
      target: "@scratch",
      type: "decision",
      title: "Now?",
      options: ["yes", "no"],
      timeout: "1m",
    });
    await project.quiet();
    await eventually("it expires", async () => {
      clock.advance(5_000);
      return (await project.store.read((store) => store.ballots.countOpen("@scratch:main"))) === 0;
    });
    expect(await lastNotice(project, "@scratch:main")).toContain("Now?");
  });

  it("ends when somebody closes the workspace, as stopped [workflow.stop]", async () => {
    const { project: opened, engine } = await openTask('kickoff: "@alice go"\n', ({ signal }) => untilAborted(signal));
    await using project = opened;
    const space = await project.start("task", { untilIdle: true });
    const done = project.workflows.untilDone(space, never);
    await eventually("alice works", () => engine.steps.length === 1);
    await project.close("@task");
    expect(await done).toEqual({ outcome: "stopped" });
  });

  it("is not held up by an agent that was stopped, and ends as stopped [idle.failed-loop]", async () => {
    const { project: opened } = await openTask('kickoff: "@alice @bob go"\n', ({ agent, signal }) =>
      agent === "alice" ? untilAborted(signal) : "done",
    );
    await using project = opened;
    const space = await project.start("task", { untilIdle: true });
    await eventually("bob is done", async () => (await project.said(space)).length === 2);
    await stopAgent(project, "alice");
    expect(await project.workflows.untilDone(space, never)).toEqual({ outcome: "stopped" });
  });
});

describe("a workspace that is closed", () => {
  it("breaks off the step that runs, parks the run, and goes on with it when the workspace goes on [workflow.stop] [workflow.attach]", async () => {
    const third = gate();
    // On a clock that stands still there is no slow look at the store: only what is woken goes on.
    const { project: opened, engine } = await openTask(
      "",
      async ({ number, inbox, signal }) => {
        if (inbox.includes("letter")) return "still here";
        if (number === 3) await Promise.race([third.passed, untilAborted(signal)]);
        return number < 5 ? { more: true } : "all five";
      },
      { clock: manualClock() },
    );
    await using project = opened;
    const space = await project.open("task");
    await project.send("@task", "@alice go");
    await eventually("the third step runs", () => engine.steps.length === 3);
    await project.send("@task", "@bob waits for another day");
    await project.close("@task");
    expect(engine.steps[2]?.signal.aborted).toBe(true);
    third.open();
    await eventually("the run is parked", async () =>
      (await project.store.read((store) => store.runs.unfinished())).every(({ state }) => state === "parked"),
    );
    await project.send("alice", "a letter");
    await eventually("alice answers elsewhere", async () => (await project.said("alice")).length === 2);
    expect(engine.steps.filter(({ inbox }) => inbox.includes("go")).map(({ number }) => number)).toEqual([1, 2, 3]);

    await project.open("task", "main", { continue: true });
    await project.quiet();
    expect(engine.steps.filter(({ inbox }) => inbox.includes("go")).map(({ number }) => number)).toEqual([
      1, 2, 3, 3, 4, 5,
    ]);
    expect(await project.said(space)).toContain("alice: all five");
  });

  it("takes the loops of its own agents with it, and leaves those of the project [workflow.inline-loop]", async () => {
    const files = workflowFile("task", `${ALICE_AND_BOB}  helper: { backend: mock, prompt: { system: You help. } }\n`);
    const { project: opened } = await openTask("", () => "", { files });
    await using project = opened;
    for (const tag of ["one", "two", "three"]) {
      await project.open("task", tag);
      await project.send(`@task:${tag}`, "@alice @helper hello");
    }
    await project.quiet();
    expect(project.runtime.loops.size).toBe(4);
    for (const tag of ["one", "two", "three"]) await project.close(`@task:${tag}`);
    await eventually("their loops are gone", () => project.runtime.loops.size === 1);
    await project.send("alice", "are you there?");
    await project.quiet();
    expect(await project.said("alice")).toHaveLength(1);
  });
});

describe("workflows side by side", () => {
  it("two tags and another workflow at once see nothing of each other [workflow.tags-parallel] [prompt.workspace]", async () => {
    const files = workflowFile("deploy", `${ALICE_AND_BOB}kickoff: "@alice deploy \${{ workflow.tag }}"\n`);
    const body = 'kickoff: "@alice @bob secret-of-${{ workflow.tag }}"\n';
    const { project: opened, engine } = await openTask(
      body,
      ({ spec, inbox }) => `${spec.agent.name} has read ${inbox.match(/secret-of-\w+|deploy \w+/)?.[0]}`,
      { files },
    );
    await using project = opened;
    const spaces = await Promise.all([
      project.start("task", { tag: "red" }),
      project.start("task", { tag: "blue" }),
      project.start("deploy", { tag: "red" }),
    ]);
    await project.quiet();
    expect(spaces).toEqual(["@task:red", "@task:blue", "@deploy:red"]);
    expect((await project.said("@task:red")).toSorted()).toEqual([
      "alice: alice has read secret-of-red",
      "bob: bob has read secret-of-red",
      "user: @alice @bob secret-of-red",
    ]);
    expect(await project.said("@deploy:red")).toEqual(["user: @alice deploy red", "alice: alice has read deploy red"]);
    const red = engine.steps.filter(({ inbox }) => inbox.includes("secret-of-red"));
    expect(red).toHaveLength(2);
    expect(red.every(({ asked, system }) => !`${system}${asked}`.includes("secret-of-blue"))).toBe(true);
    expect(engine.mostAtOnce).toBe(1);
  });
});
