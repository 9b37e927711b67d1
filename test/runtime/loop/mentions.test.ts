import { describe, expect, it } from "vitest";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { gate } from "../../support/gate.ts";
import { fanOut, pingPong } from "../../support/team/mentions-at-work.ts";
import { eventually, openLiveTestProject } from "../../support/team/running-project.ts";
import { REVIEW, TEAM, workflowFile } from "../../support/team/team.ts";

describe("mentions", () => {
  it.each([5, 50, 500])(
    "%i agents mentioned at once: one run each, none lost and none twice [loop.wake]",
    async (agents) => {
      expect(await fanOut(agents, 1)).toBe(`${agents} agents, 1 rounds, ${agents} runs`);
    },
  );

  it("40 rounds of five: one run each, none lost and none twice [delivery.ack-concurrent]", async () => {
    expect(await fanOut(5, 40)).toBe("5 agents, 40 rounds, 200 runs");
  });

  it("100 hops between two agents are each answered once, without a pause [loop.wake-while-busy]", async () => {
    const { longestGapMs } = await pingPong(100);
    // A lost wake would cost the five seconds of the slow look.
    expect(longestGapMs).toBeLessThan(4_000);
  });

  it("in an agent's own words never wake the agent itself", async () => {
    const engine = scriptedEngine(({ agent }) => `@${agent} and @all: I, @${agent}, have spoken`);
    const files = { ...TEAM, ...workflowFile("solo", "agents: { alice: { ref: alice } }\n") };
    await using project = await openLiveTestProject({ files, engine });
    await project.open("solo");
    await project.send("@solo", "@alice speak");
    await project.quiet();
    expect(await project.said("@solo:main")).toEqual([
      "user: @alice speak",
      "alice: @alice and @all: I, @alice, have spoken",
    ]);
    expect(engine.steps).toHaveLength(1);
  });

  it("that arrive during a run are answered by another run, not swallowed [delivery.not-swallowed]", async () => {
    const first = gate();
    const engine = scriptedEngine(async ({ inbox: asked }) => {
      if (asked.includes("number one")) await first.passed;
      return `seen: ${[...asked.matchAll(/number (\w+)/g)].map(([, word]) => word).join(" ")}`;
    });
    await using project = await openLiveTestProject({ files: TEAM, engine });
    await project.open("review");
    await project.send("@review", "@alice number one");
    await eventually("the first run begins", () => engine.steps.length === 1);
    await project.send("@review", "@alice number two");
    await project.send("@review", "@alice number three");
    first.open();
    await project.quiet();
    const answers = (await project.said(REVIEW)).filter((line) => line.startsWith("alice:"));
    expect(answers).toHaveLength(2);
    expect(answers[0]).toBe("alice: seen: one");
    expect(answers[1]).toMatch(/two three$/);
  });

  it("that wait together are answered by one run [run.siblings]", async () => {
    const busy = gate();
    const engine = scriptedEngine(async ({ inbox: asked }) => {
      if (asked.includes("busy")) await busy.passed;
      return asked.includes("busy") ? "" : "one answer for all";
    });
    await using project = await openLiveTestProject({ files: TEAM, engine });
    await project.open("review");
    await project.send("alice", "busy");
    await eventually("alice is busy", () => engine.steps.length === 1);
    for (const part of ["red", "green", "blue"]) await project.send("@review", `@alice ${part}`);
    busy.open();
    await project.quiet();
    expect(engine.steps).toHaveLength(2);
    expect(["red", "green", "blue"].filter((part) => engine.steps[1]?.asked.includes(`@alice ${part}`))).toHaveLength(
      3,
    );
    expect((await project.said(REVIEW)).filter((line) => line.startsWith("alice:"))).toEqual([
      "alice: one answer for all",
    ]);
  });
});
