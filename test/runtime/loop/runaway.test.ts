import { describe, expect, it } from "vitest";
import { scriptedEngine, type Script } from "../../../src/testing/scripted-engine.ts";
import { openLiveTestProject, type LiveTestProject } from "../../support/team/running-project.ts";
import { REVIEW, TEAM } from "../../support/team/team.ts";

async function openReview(script: Script, budget = ""): Promise<{ project: LiveTestProject; steps: () => number }> {
  const engine = scriptedEngine(script);
  const project = await openLiveTestProject({
    files: { ...TEAM, ...(budget === "" ? {} : { "moniro.yaml": `defaults:\n  budget: ${budget}\n` }) },
    engine,
  });
  await project.open("review");
  return { project, steps: () => engine.steps.length };
}

async function notices(project: LiveTestProject): Promise<string[]> {
  return (await project.messages(REVIEW)).flatMap(({ kind, body }) => (kind === "notice" ? [body] : []));
}

const other = (agent: string): string => (agent === "alice" ? "bob" : "alice");

describe("agents that keep each other awake", () => {
  it("by thanking each other are stopped soon, with the reason in the channel, until a person speaks [causal.ping-pong] [causal.breaker-notice] [causal.breaker-person]", async () => {
    const { project: opened, steps } = await openReview(({ agent }) => `@${other(agent)} thank you!`);
    await using project = opened;
    await project.send("@review", "@alice please thank bob");
    await project.quiet();
    expect(steps()).toBeLessThanOrEqual(13);
    expect(await notices(project)).toEqual([
      expect.stringMatching(/near-empty messages.*goes on when a person writes/),
    ]);
    const before = steps();
    await project.send("@review", "@bob once more");
    await project.quiet();
    expect(steps()).toBeGreaterThan(before);
    expect(await notices(project)).toHaveLength(2);
  });

  it("with long messages are stopped by the hops of their chain [causal.hops]", async () => {
    const { project: opened, steps } = await openReview(
      ({ agent }) => `@${other(agent)} ${"here is another very important thought about the matter at hand ".repeat(2)}`,
      "{ hops: 10 }",
    );
    await using project = opened;
    await project.send("@review", "@alice begin");
    await project.quiet();
    expect(steps()).toBe(11);
    expect(await notices(project)).toEqual([
      'This chain of messages has reached its limit of 10 hops. It goes on when a person writes. Go on with: agent-worker send @review "go on"',
    ]);
  });

  it("by spreading out are stopped by the turns of their chain; what was waiting is a dead letter [causal.turns]", async () => {
    const { project: opened, steps } = await openReview(
      () => "@all everybody please think about this at some length, and tell the others",
      "{ hops: 50, turns: 20 }",
    );
    await using project = opened;
    await project.send("@review", "@alice begin");
    await project.quiet();
    expect(steps()).toBe(20);
    expect(await notices(project)).toEqual([expect.stringContaining("20 turns")]);
    const dead = await project.store.read((store) => store.deliveries.dead({ space: REVIEW, limit: 500 }));
    expect(dead.length).toBeGreaterThan(0);
    expect(
      dead.every(({ delivery }) => delivery.state.status === "dead" && delivery.state.reason.includes("20 turns")),
    ).toBe(true);
  });
});
