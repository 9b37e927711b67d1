import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { castVote } from "../../../src/operations/ballots/cast-vote.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { listBallots } from "../../../src/operations/ballots/list-ballots.ts";
import { writeDocument } from "../../../src/operations/documents/write-document.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { addRule } from "../../../src/operations/rules/add-rule.ts";
import { fireRules } from "../../../src/operations/rules/fire-rules.ts";
import { listRules } from "../../../src/operations/rules/list-rules.ts";
import { removeRule } from "../../../src/operations/rules/remove-rule.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { showWorkspace } from "../../../src/operations/workspaces/show-workspace.ts";
import type { MessageRecord } from "../../../src/ports/store/message.ts";
import { agentCaller } from "../../support/team/agent-caller.ts";
import { callOk, callRefused, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

const bob = agentIn(REVIEW, "bob");
const messages = (project: TestProject): Promise<MessageRecord[]> =>
  project.store.read((store) => store.messages.page({ space: REVIEW, limit: 1000 }));
const said = async (project: TestProject): Promise<string[]> =>
  (await messages(project)).map(({ sender, body }) => `${sender}: ${body}`);
const fire = async (project: TestProject): Promise<number> =>
  (await callOk(project, systemCaller, fireRules, {})).fired;
const say = (project: TestProject, name: string, message: string, cause: string | null = null) =>
  callOk(project, agentIn(REVIEW, name, cause), sendMessage, { message });

const READY = { on: "message", from: "bob", contains: "ready" } as const;
const tell = (message: string) => ({ propose: "send-message", data: { message } });

describe("a proposal written as data", () => {
  it("[proposal.data-defined] is added while the system runs, outlives it, and proposes once for each thing that matches", async () => {
    const first = await openTeam();
    const rule = await callOk(first, person, addRule, {
      target: "@review",
      name: "tell-alice",
      when: READY,
      then: tell("@alice please look at what ${{ message.from }} said: ${{ message.text }}"),
    });
    expect(rule).toMatchObject({ space: REVIEW, author: "user", fired: 0, most: 20, resting: false });
    await say(first, "bob", "not yet");
    const { id: cause } = await say(first, "bob", "it is READY, @carol");
    await say(first, "carol", "ready too");

    await using project = await first.reopen();
    expect(await fire(project)).toBe(1);
    expect(await fire(project)).toBe(0);
    const made = (await messages(project)).at(-1);
    expect(made).toMatchObject({
      sender: "rule:tell-alice",
      body: "@alice please look at what bob said: it is READY, @carol",
      mentions: ["alice"],
      cause,
      depth: 1,
    });
    expect(project.woken).toEqual(["alice"]);
    expect(project.published.map(({ type }) => type)).toEqual(["message.posted", "rule.fired"]);
    expect((await callOk(project, person, listRules, {})).rules).toMatchObject([{ id: rule.id, total: 1, fired: 1 }]);
    await callOk(project, person, removeRule, { id: rule.id });
    await say(project, "bob", "ready again");
    expect(await fire(project)).toBe(0);
    expect((await callOk(project, person, listRules, { target: "@review" })).rules).toEqual([]);
  });

  it("[proposal.data-defined] pauses while its workspace is closed, and looks at what comes after it is opened again", async () => {
    await using project = await openTeam();
    const rule = { target: "@review", name: "tell-alice", when: READY, then: tell("@alice look") };
    await callOk(project, person, addRule, rule);
    await say(project, "bob", "ready, and then it ended");
    await callOk(project, person, closeWorkspace, { target: "@review" });
    await callOk(project, person, addRule, { ...rule, name: "tell-carol", then: tell("@carol look") });
    expect(await project.store.read((store) => store.rules.active())).toEqual([]);
    expect(await fire(project)).toBe(0);
    await callOk(project, person, openWorkspace, { workflow: "review", continue: true });
    expect(await fire(project)).toBe(0);
    await say(project, "bob", "ready");
    expect(await fire(project)).toBe(2);
    expect((await said(project)).slice(-2)).toEqual(["rule:tell-alice: @alice look", "rule:tell-carol: @carol look"]);
  });

  it("[proposal.data-defined] of an agent acts as that agent, there, with what it may do itself and no more", async () => {
    await using project = await openTeam();
    await callOk(project, bob, addRule, {
      name: "mine",
      when: { on: "message", from: "carol" },
      then: tell("@alice hm"),
    });
    await say(project, "carol", "hello");
    expect(await fire(project)).toBe(1);
    expect((await said(project)).at(-1)).toBe("bob: @alice hm");
    for (const then of [
      { propose: "close-workspace", data: { target: "@review" } },
      { propose: "set-document-owner", data: { target: "@review", owner: "bob" } },
      { propose: "approve-soul", data: { id: "sol_1" } },
      { propose: "add-rule", data: {} },
      { propose: "delete-agent", data: { name: "alice" } },
    ]) {
      expect((await callRefused(project, bob, addRule, { name: "more", when: READY, then })).code, then.propose).toBe(
        "forbidden",
      );
    }
    const elsewhere = { target: "@other", name: "more", when: READY, then: tell("hi") };
    expect((await callRefused(project, bob, addRule, elsewhere)).code).toBe("forbidden");
    expect((await callRefused(project, agentCaller("bob"), addRule, elsewhere)).code).toBe("forbidden");
    const [rule] = (await callOk(project, bob, listRules, {})).rules;
    expect((await callRefused(project, agentIn(REVIEW, "carol"), removeRule, { id: rule?.id })).code).toBe("forbidden");
    await callOk(project, bob, removeRule, { id: rule?.id ?? "" });
  });

  it("[proposal.data-defined] says no sooner than it can: what it could never do, and how many there may be", async () => {
    await using project = await openTeam();
    const wrong = async (then: unknown, when: unknown = READY) =>
      (await callRefused(project, person, addRule, { target: "@review", name: "wrong", when, then })).message;
    expect(await wrong(tell("${{ message.txt }}"))).toContain("message.txt");
    expect(await wrong(tell("${{ env.HOME }}"))).toContain("HOME");
    expect(await wrong(tell("${{ document.file }}"))).toContain("document.file");
    expect(await wrong({ propose: "send-message", data: { message: "x", lane: "immediate" } })).toContain("lane");
    expect(await wrong({ propose: "create-ballot", data: { type: "decision" } })).toContain("create-ballot");
    expect(await wrong({ propose: "close-workspace", data: { target: "@other" } })).toContain("would not act in");
    expect(await wrong({ propose: "send-mesage", data: {} })).toContain("cannot propose");
    expect(await wrong(tell("x"), { on: "message", regex: ".*" })).toContain("regex");
    for (let n = 0; n < 5; n += 1) await callOk(project, bob, addRule, { name: `n${n}`, when: READY, then: tell("x") });
    expect((await callRefused(project, bob, addRule, { name: "n5", when: READY, then: tell("x") })).message).toContain(
      "as many",
    );
    expect(
      (await callRefused(project, person, addRule, { target: "@review", name: "n0", when: READY, then: tell("x") }))
        .code,
    ).toBe("conflict");
  });

  it("[proposal.data-defined] never sets off another rule or itself, and what it leads to is charged to the chain", async () => {
    await using project = await openTeam({ files: { "moniro.yaml": "defaults: { budget: { hops: 3 } }\n" } });
    await callOk(project, bob, addRule, { name: "echo", when: { on: "message" }, then: tell("@alice again") });
    await callOk(project, agentIn(REVIEW, "carol"), addRule, {
      name: "echo-too",
      when: { on: "message" },
      then: tell("@alice again"),
    });
    let { id } = await say(project, "alice", "begin");
    expect(await fire(project)).toBe(2);
    expect(await fire(project)).toBe(0);
    for (let n = 0; n < 4; n += 1) {
      const last = (await messages(project)).findLast(({ sender }) => sender === "bob");
      id = (await say(project, "alice", "and again", last?.id ?? id)).id;
      await fire(project);
    }
    const bodies = await said(project);
    expect(bodies.filter((body) => body.includes("limit of 3 hops"))).toHaveLength(1);
    expect((await messages(project)).at(-1)?.sender).not.toBe("alice");
    const woken = project.woken.length;
    await say(project, "alice", "still", id);
    await fire(project);
    expect(project.woken.length).toBe(woken);
  });

  it("[proposal.data-defined] rests when it acted often and no person spoke, says so once, and goes on when one does", async () => {
    await using project = await openTeam();
    await callOk(project, person, addRule, {
      target: "@review",
      name: "wrote",
      when: { on: "document", file: "notes.md" },
      then: tell("${{ document.from }} wrote ${{ document.file }}"),
      most: 3,
    });
    const write = (n: number) => callOk(project, bob, writeDocument, { content: `text ${n}` });
    for (let n = 0; n < 6; n += 1) {
      await write(n);
      await fire(project);
    }
    expect(await said(project)).toEqual([
      ...Array<string>(3).fill("rule:wrote: bob wrote notes.md"),
      'system: The rule "wrote" has acted 3 times since a person wrote here. It rests until one does.',
    ]);
    await callOk(project, person, sendMessage, { to: "@review", message: "go on" });
    await write(7);
    expect(await fire(project)).toBe(1);
    expect((await callOk(project, person, listRules, {})).rules).toMatchObject([
      { fired: 1, total: 4, resting: false },
    ]);
  });

  it("[proposal.data-defined] may call for a vote, and act on one; a refusal is kept with it", async () => {
    await using project = await openTeam();
    await callOk(project, bob, addRule, {
      name: "ask",
      when: { on: "message", contains: "merge" },
      then: {
        propose: "create-ballot",
        data: { type: "decision", title: "Do ${{ message.from }}'s wish?", options: ["yes", "no"] },
      },
    });
    await callOk(project, person, addRule, {
      target: "@review",
      name: "close",
      when: { on: "ballot", winner: "enough" },
      then: { propose: "close-workspace", data: { target: "@review" } },
    });
    await callOk(project, person, addRule, {
      target: "@review",
      name: "nobody",
      when: { on: "message", contains: "merge" },
      then: { propose: "send-message", data: { message: "hello", to: "nobody" } },
    });
    await say(project, "carol", "please merge");
    expect(await fire(project)).toBe(2);
    const { ballots } = await callOk(project, person, listBallots, { target: "@review" });
    expect(ballots).toMatchObject([{ title: "Do carol's wish?", creator: "bob" }]);
    const nobody = (await callOk(project, person, listRules, {})).rules.find(({ name }) => name === "nobody");
    expect(nobody).toMatchObject({ total: 1, lastRefusal: expect.stringContaining("nobody") });

    const options = ["enough", "more"];
    const { id } = await callOk(project, bob, createBallot, {
      type: "decision",
      title: "Enough?",
      options,
      voters: ["bob"],
    });
    await callOk(project, bob, castVote, { id, option: "enough" });
    expect(await fire(project)).toBe(1);
    expect((await callOk(project, person, showWorkspace, { target: "@review" })).state).toBe("closed");
  });

  it("[proposal.data-defined] keeps no secret, and what it fills in calls nobody", async () => {
    await using project = await openTeam();
    const secret = `sk-ant-${"a1B2".repeat(12)}`;
    const rule = await callOk(project, person, addRule, {
      target: "@review",
      name: "quiet",
      when: { on: "message", from: "bob" },
      then: tell(`${secret} \${{ message.text }} and then @alice`),
    });
    expect(JSON.stringify(rule)).not.toContain(secret);
    await say(project, "bob", "```\n@carol @all `@helper");
    await fire(project);
    expect((await messages(project)).at(-1)?.mentions).toEqual(["alice"]);
  });
});
