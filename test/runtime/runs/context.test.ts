import { describe, expect, it } from "vitest";
import { EngineFailure } from "../../../src/ports/engine.ts";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { gate } from "../../support/gate.ts";
import { manualClock } from "../../support/manual-clock.ts";
import { eventually, openLiveTestProject } from "../../support/team/running-project.ts";
import { openTask, stateOf } from "../../support/team/started-workflow.ts";
import { REVIEW, TEAM } from "../../support/team/team.ts";

describe("an agent that is woken", () => {
  it("sees what was said in the channel since, without having been woken for it [loop.later-mention] [route.unmentioned-pull]", async () => {
    const engine = scriptedEngine(() => "");
    await using project = await openLiveTestProject({ files: TEAM, engine });
    await project.open("review");
    await project.send("@review", "the build is green again");
    await project.send("@review", "@bob what do you think?");
    await project.quiet();
    expect(engine.steps.map(({ agent }) => agent)).toEqual(["bob"]);
    await project.send("@review", "@alice and you?");
    await project.quiet();
    expect(engine.steps[1]?.asked).toContain("the build is green again");
    expect(engine.steps[1]?.inbox).not.toContain("the build is green again");
  });

  it("outside of any workflow has its direct messages and its personal context [workspace.standalone-context]", async () => {
    const engine = scriptedEngine(async ({ inbox, call }) => {
      if (inbox.includes("water")) await call("todo_add", { text: "water the plants" });
      return "noted";
    });
    await using project = await openLiveTestProject({ files: TEAM, engine });
    await project.send("alice", "water the plants some day");
    await project.quiet();
    await project.send("alice", "what is on your list?");
    await project.quiet();
    expect(engine.steps[1]?.asked).toMatch(/<todos>[^]*water the plants/);
    expect(engine.steps[1]?.asked).toMatch(/<conversation>[^]*water the plants some day[^]*noted/);
  });
});

describe("mentions an agent reads with channel_read", () => {
  it("join its run: acknowledged when it succeeds, given back when it fails [run.read-joins]", async () => {
    const clock = manualClock();
    const reading = gate();
    let failures = 1;
    const { project: opened, engine } = await openTask(
      "",
      async ({ call, inbox }) => {
        if (!inbox.includes("first")) return "another run";
        await reading.passed;
        await call("channel_read", {});
        failures -= 1;
        if (failures >= 0) throw new EngineFailure("transient", "overloaded");
        return "answers both";
      },
      { clock },
    );
    await using project = opened;
    const space = await project.open("task");
    await project.send("@task", "@alice first");
    await eventually("the run begins", () => engine.steps.length === 1);
    await project.send("@task", "@alice second");
    reading.open();
    await eventually("it failed", () => failures === 0);
    await eventually("it succeeds", async () => {
      clock.advance(500);
      return (await project.said(space)).length === 3;
    });
    await project.quiet();
    expect((await project.said(space)).at(-1)).toBe("alice: answers both");
    expect(await project.runs()).toHaveLength(1);
    expect(engine.steps).toHaveLength(2);
    expect(engine.steps[1]?.inbox).toMatch(/first[^]*second/);
  });
});

describe("a workflow that elects its owner", () => {
  it("holds the ballot before the kickoff, and its winner owns the documents [document.election]", async () => {
    const { project: opened } = await openTask(
      'workspace: { documentOwner: elect }\nkickoff: "@alice write the plan"\n',
      async ({ inbox, call, agent }) => {
        const ballot = inbox.match(/bal_\w+/)?.[0];
        if (ballot !== undefined) await call("proposal_vote", { id: ballot, option: "bob" });
        return agent === "bob" || ballot === undefined ? "" : "voted";
      },
    );
    await using project = opened;
    const space = await project.start("task");
    await eventually(
      "bob owns the documents",
      async () => (await project.store.read((store) => store.workspaces.byKey(space)))?.documentOwner === "bob",
    );
    await project.quiet();
    const kinds = (await project.messages(space)).map(({ kind, body }) =>
      kind === "kickoff" ? kind : body.split("\n")[0],
    );
    expect(kinds[0]).toMatch(/Who owns the documents/);
    expect(kinds.indexOf("kickoff")).toBeGreaterThan(kinds.findIndex((line) => line?.startsWith("Decided")));
    expect(await stateOf(project, space)).toBe("open");
    expect(await project.said(REVIEW)).toEqual([]);
  });
});
