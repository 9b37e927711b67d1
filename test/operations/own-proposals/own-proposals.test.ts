import type { OwnProposal } from "../../../src/operations/core/define.ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { person, type Caller } from "../../../src/kernel/caller.ts";
import { createRedactor } from "../../../src/kernel/redact.ts";
import { defineProposal, refuse } from "../../../src/operations/own-proposals/definition.ts";

import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { refused, value } from "../../support/result.ts";
import { agentFile, workflowFile } from "../../support/team/team.ts";
import { runHolder } from "../../support/team/leased-run.ts";
import { callOk, openTestProject, type TestProject } from "../../support/team/project.ts";

const count = defineProposal({
  name: "count",
  summary: "Count.",
  input: z.object({ by: z.number().default(1), fail: z.boolean().default(false) }),
  output: z.object({ total: z.number(), secret: z.string() }),
  access: { person: true, agents: ["alice"], workflows: ["review"] },
  async execute({ by, fail }, ctx) {
    const total = Number((await ctx.state.get()) ?? 0) + by;
    await ctx.state.set(total);
    await ctx.post("The key is sk-live-0123456789abcdef0123");
    await ctx.emit("counted", { total, key: "sk-live-0123456789abcdef0123" });
    if (fail) return refuse("conflict", "The key sk-live-0123456789abcdef0123 is wrong.");
    return { total, secret: "sk-live-0123456789abcdef0123" };
  },
});

const SECRET = "sk-live-0123456789abcdef0123";

const opened = async (): Promise<TestProject> => {
  const project = await openTestProject({
    files: {
      ...agentFile("alice"),
      ...agentFile("bob"),
      ...workflowFile("review", "agents: { alice: alice, bob: bob }\n"),
      ...workflowFile("other", "agents: { alice: alice }\n"),
    },
    proposals: [count],
    redactor: createRedactor({ secrets: [SECRET] }),
  });
  await callOk(project, person, openWorkspace, { workflow: "review", tag: "main" });
  return project;
};

const find = (project: TestProject, name: string): OwnProposal => {
  const found = project.services.ownProposals.find(name);
  if (found === undefined) throw new Error(`no ${name}`);
  return value(found);
};
const propose = (project: TestProject, caller: Caller, data: object = {}) =>
  project.system.call(caller, find(project, "count").operation, data);
const agent = (name: string, more: object = {}): Caller => ({
  kind: "agent",
  name,
  space: "@review:main",
  run: "run_1",
  cause: null,
  ...more,
});

describe("an own proposal", () => {
  it("is for those whom its access names, and whose tools it is [own.rights]", async () => {
    await using project = await opened();
    expect(value(await propose(project, agent("alice")))).toMatchObject({ total: 1 });
    expect(refused(await propose(project, agent("bob")))).toMatchObject({ code: "forbidden" });
    expect(refused(await propose(project, agent("alice", { space: "@other:main" })))).toMatchObject({
      code: "forbidden",
    });
    const without = agent("alice", { operations: new Set(["send-message"]) });
    expect(refused(await propose(project, without))).toMatchObject({ code: "forbidden" });
    const elsewhere = { target: "@other" };
    expect(refused(await propose(project, agent("alice"), elsewhere))).toMatchObject({ code: "forbidden" });
    expect(value(await propose(project, person, { target: "@review" }))).toMatchObject({ total: 2 });
    expect(refused(await propose(project, person))).toMatchObject({
      code: "invalid",
      hint: expect.stringContaining("target"),
    });
  });

  it("answers a repeated call with its first answer, and is counted by the quota [own.once]", async () => {
    await using project = await opened();
    await callOk(project, person, sendMessage, { to: "alice@review", message: "count" });
    const { run } = await runHolder(project).begin("alice");
    const call = agent("alice", { run: run.id, call: "1/abc/1" });
    expect(value(await propose(project, call))).toMatchObject({ total: 1 });
    expect(value(await propose(project, call))).toMatchObject({ total: 1 });
    expect(value(await propose(project, agent("alice", { run: run.id, call: "1/abc/2" })))).toMatchObject({ total: 2 });
    let last;
    for (let n = 0; n < 500; n += 1) {
      last = await propose(project, agent("alice"));
      if (!last.ok) break;
    }
    expect(last).toMatchObject({ ok: false, error: { code: "limited" } });
  });

  it("stores, emits, returns and says no secret, and a refusal undoes what it did [own.once]", async () => {
    await using project = await opened();
    const error = refused(await propose(project, person, { fail: true, target: "@review" }));
    expect(error).toMatchObject({ code: "conflict" });
    expect(error.message).not.toContain(SECRET);
    const { secret } = value(await propose(project, person, { target: "@review" })) as { secret: string };
    expect(secret).not.toContain(SECRET);
    const emitted = project.published.filter(({ type }) => type === "proposal.event");
    expect(emitted).toEqual([expect.objectContaining({ proposal: "count", name: "counted", space: "@review:main" })]);
    expect(JSON.stringify(emitted)).not.toContain(SECRET);
    const stored = await project.store.read((store) => store.messages.page({ space: "@review:main", limit: 9 }));
    expect(stored.map(({ sender }) => sender)).toEqual(["proposal:count"]);
    expect(JSON.stringify(stored)).not.toContain(SECRET);
  });

  it("remembers what it stored after a restart [own.compose]", async () => {
    await using project = await opened();
    await propose(project, person, { target: "@review", by: 5 });
    await using again = await project.reopen();
    expect(value(await propose(again, person, { target: "@review", by: 2 }))).toMatchObject({ total: 7 });
  });
});
