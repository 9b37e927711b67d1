import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { openLiveTestProject } from "../../support/team/running-project.ts";
import { agentFile, workflowFile } from "../../support/team/team.ts";

describe("one agent in two workflows", () => {
  const files = {
    ...agentFile("alice", "soul: { role: reviewer }\n"),
    ...workflowFile("review", "agents: { alice: { ref: alice, prompt: { append: Only review. } } }\n"),
    ...workflowFile("deploy", "agents: { alice: { ref: alice } }\n"),
  };

  it("has one memory: what it stores in one is in its prompt in the other and in direct messages [prompt.memory] [prompt.append] [prompt.soul]", async () => {
    const engine = scriptedEngine(async ({ inbox, call }) => {
      if (inbox.includes("remember"))
        await call("memory_store", { content: "The deploy key lives in the vault.", key: "deploy-key" });
      return "";
    });
    await using project = await openLiveTestProject({ files, engine });
    for (const workflow of ["review", "deploy"]) await project.open(workflow);
    for (const to of ["@review", "@deploy"]) {
      await project.send(to, to === "@review" ? "@alice remember where the key is" : "@alice where is it?");
      await project.quiet();
    }
    await project.send("alice", "and here?");
    await project.quiet();
    const [review, deploy, direct] = engine.steps;
    expect(review?.asked).not.toContain("lives in the vault");
    expect(deploy?.asked).toContain("lives in the vault");
    expect(direct?.asked).toContain("lives in the vault");
    expect([review, deploy, direct].map((step) => step?.system.includes("Only review."))).toEqual([true, false, false]);
    expect([review, deploy, direct].every((step) => step?.system.includes("reviewer"))).toBe(true);
  });

  it("has one loop for both and for direct messages [loop.one-per-agent] [route.dm-any-time]", async () => {
    const engine = scriptedEngine(async () => {
      await pause(5);
      return "";
    });
    await using project = await openLiveTestProject({ files, engine });
    for (const workflow of ["review", "deploy"]) await project.open(workflow);
    for (let n = 0; n < 5; n += 1) {
      await Promise.all([
        project.send("@review", `@alice ${n}`),
        project.send("@deploy", `@alice ${n}`),
        project.send("alice", `${n}`),
      ]);
    }
    await project.quiet();
    expect(engine.mostAtOnce).toBe(1);
    expect(project.runtime.loops.size).toBe(1);
    expect(new Set((await project.runs()).map(({ space }) => space))).toEqual(
      new Set(["@review:main", "@deploy:main", "alice"]),
    );
  });
});
