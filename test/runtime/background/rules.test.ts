import { expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { addRule } from "../../../src/operations/rules/add-rule.ts";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { callOk } from "../../support/team/project.ts";
import { eventually, openLiveTestProject } from "../../support/team/running-project.ts";
import { agentFile, REVIEW, TEAM, workflowFile } from "../../support/team/team.ts";

it("[proposal.data-defined] an agent adds a rule in its run, and the team goes on by it, also over a restart", async () => {
  const engine = scriptedEngine(async ({ agent, inbox, call }) => {
    if (agent === "alice" && inbox.includes("arrange")) {
      const then = { propose: "send-message", data: { message: "@carol your turn: ${{ message.text }}" } };
      const added = await call("rule_add", { name: "hand-over", when: { on: "message", from: "bob" }, then });
      return added.kind === "result" && !added.isError ? "arranged" : "refused";
    }
    return agent === "bob" ? "bob is done" : "";
  });
  const files = { ...TEAM, ...agentFile("alice", "tools: [channel_send, rule_add]\n") };
  const first = await openLiveTestProject({ files, engine });
  await first.open("review");
  await first.send("@review", "@alice please arrange it");
  await first.quiet();
  expect(await first.said(REVIEW)).toContain("alice: arranged");
  await using project = await first.restart();
  await project.send("@review", "@bob go");
  const handed = "alice: @carol your turn: bob is done";
  await eventually("carol was woken", () => engine.steps.some(({ agent }) => agent === "carol"));
  await project.quiet();
  expect((await project.said(REVIEW)).filter((each) => each === handed)).toHaveLength(1);
  expect(engine.steps.filter(({ agent }) => agent === "carol")).toHaveLength(1);
});

it("[proposal.data-defined] rules work where messages are kept in memory; agents get the tool only when asked for", async () => {
  const engine = scriptedEngine(async ({ agent, call }) => {
    if (agent !== "bob") return "";
    const then = { propose: "send-message", data: { message: "x" } };
    const added = await call("rule_add", { name: "no", when: { on: "message" }, then });
    return added.kind === "result" && added.isError ? "bob may not" : "bob may";
  });
  const passing = workflowFile(
    "passing",
    "agents:\n  alice: { ref: alice }\n  bob: { ref: bob }\nworkspace: { provider: memory }\n",
  );
  await using project = await openLiveTestProject({ files: { ...TEAM, ...passing }, engine });
  const space = await project.open("passing");
  const then = { propose: "send-message", data: { message: "noted: ${{ message.text }}", to: "alice" } };
  await callOk(project, person, addRule, {
    target: "@passing",
    name: "note",
    when: { on: "message", from: "bob" },
    then,
  });
  await project.send("@passing", "@bob go");
  await eventually("alice is told", () => engine.steps.some(({ agent }) => agent === "alice"));
  expect(await project.said(space)).toEqual(["user: @bob go", "bob: bob may not", "rule:note: noted: bob may not"]);
});
