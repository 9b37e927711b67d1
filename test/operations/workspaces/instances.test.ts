import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { listBallots } from "../../../src/operations/ballots/list-ballots.ts";
import { retryDeadLetter } from "../../../src/operations/dead-letters/retry-dead-letter.ts";
import { listDocuments } from "../../../src/operations/documents/list-documents.ts";
import { listSuggestions } from "../../../src/operations/documents/list-suggestions.ts";
import { readDocument } from "../../../src/operations/documents/read-document.ts";
import { suggestDocument } from "../../../src/operations/documents/suggest-document.ts";
import { writeDocument } from "../../../src/operations/documents/write-document.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { addRule } from "../../../src/operations/rules/add-rule.ts";
import { listRules } from "../../../src/operations/rules/list-rules.ts";
import { beginRun } from "../../../src/operations/runs/begin-run.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { showWorkspace } from "../../../src/operations/workspaces/show-workspace.ts";
import { systemCaller } from "../../../src/kernel/caller.ts";
import { callOk, callRefused, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

const target = "@review";

async function begin(project: TestProject): Promise<void> {
  await callOk(project, person, closeWorkspace, { target });
  await callOk(project, person, openWorkspace, { workflow: "review" });
}

describe("the next instance of a workspace", () => {
  it("begins without messages, documents, ballots, suggestions and rules [instances.empty]", async () => {
    await using project = await openTeam();
    await callOk(project, person, sendMessage, { to: target, message: "one" });
    await callOk(project, person, writeDocument, { target, content: "old" });
    await callOk(project, person, suggestDocument, { target, content: "older" });
    await callOk(project, person, createBallot, { target, type: "decision", title: "Which?", options: ["a", "b"] });
    const then = { propose: "send-message", data: { to: target, message: "go" } };
    await callOk(project, person, addRule, { target, name: "go", when: { on: "document" }, then });
    await begin(project);
    expect((await callOk(project, person, peekChannel, { target })).messages).toEqual([]);
    expect((await callOk(project, person, listDocuments, { target })).documents).toEqual([]);
    expect((await callOk(project, person, listSuggestions, { target })).suggestions).toEqual([]);
    expect((await callOk(project, person, listBallots, { target })).ballots).toEqual([]);
    expect((await callOk(project, person, listRules, { target })).rules).toEqual([]);
    expect(await callOk(project, person, readDocument, { target, earlier: 1 })).toMatchObject({ content: "old" });
    expect((await callOk(project, person, listBallots, { target: "@review~1", all: true })).ballots).toHaveLength(1);
    const shown = await callOk(project, person, showWorkspace, { target });
    expect(shown).toMatchObject({ instance: 2, earlier: [{ space: "@review:main~1", instance: 1 }] });
  });

  it("runs nothing of the one before: what waited is dropped, with a notice [instances.settled]", async () => {
    await using project = await openTeam();
    await callOk(project, person, sendMessage, { to: target, message: "@alice and @helper, look" });
    await begin(project);
    expect((await callOk(project, person, readInbox, { target: "alice" })).deliveries).toEqual([]);
    for (const mailbox of ["alice", "helper@review:main"]) {
      const next = await callOk(project, systemCaller, beginRun, { mailbox, leaseOwner: "own_1" });
      expect(next).toEqual({ begun: null, nextDue: null });
    }
    const { messages } = await callOk(project, person, peekChannel, { target, earlier: 1 });
    expect(messages.at(-1)?.content).toBe("A new instance of the workspace began. 2 messages were not answered.");
  });

  it("waits for the end of a step, because its agent would act in it [instances.interrupted]", async () => {
    await using project = await openTeam();
    await callOk(project, person, sendMessage, { to: target, message: "@alice look" });
    await callOk(project, systemCaller, beginRun, { mailbox: "alice", leaseOwner: "own_1" });
    await callOk(project, person, closeWorkspace, { target });
    expect(await callRefused(project, person, openWorkspace, { workflow: "review" })).toMatchObject({
      code: "conflict",
      message: 'alice is still ending its last step in "review".',
    });
    expect((await callOk(project, person, peekChannel, { target })).messages).toHaveLength(1);
  });

  it("does not take up a dead letter of the one before [instances.dead-letters]", async () => {
    await using project = await openTeam();
    await callOk(project, person, sendMessage, { to: target, message: "@alice look" });
    const [open] = await project.store.read((store) => store.deliveries.open({ space: REVIEW, limit: 1 }));
    await project.store.transact(async ({ deliveries }) => {
      const state = { status: "dead", attempts: 1, preempted: 0, reason: "no", outcome: "failed" } as const;
      const id = open?.delivery.id ?? "";
      await deliveries.advance(id, { status: "pending", leaseOwner: null }, { state, leaseOwner: null, run: null });
      return { ok: true, value: undefined };
    });
    await begin(project);
    expect(await callRefused(project, person, retryDeadLetter, { id: open?.delivery.id })).toMatchObject({
      code: "not_running",
      message: '"review~1" is an earlier instance: it can only be read.',
    });
  });

  it("is all that an agent sees [instances.agents]", async () => {
    await using project = await openTeam();
    await begin(project);
    const alice = agentIn(REVIEW, "alice");
    expect(await callRefused(project, alice, peekChannel, { earlier: 1 })).toMatchObject({ code: "forbidden" });
    expect(await callRefused(project, alice, peekChannel, { target: "@review~1" })).toMatchObject({
      code: "forbidden",
    });
    expect((await callOk(project, alice, peekChannel, {})).messages).toEqual([]);
  });

  it("gets a folder without documents, whatever the store knows of it [instances.folder]", async () => {
    await using project = await openTeam();
    project.write(".workspace/review/main~2/documents/notes.md", "of another time");
    await begin(project);
    const shown = await callOk(project, person, showWorkspace, { target });
    expect(shown).toMatchObject({ instance: 3, dir: ".workspace/review/main~3" });
    expect(await callRefused(project, person, peekChannel, { target, earlier: 2 })).toMatchObject({
      code: "not_found",
      hint: "The oldest is one start ago.",
    });
  });
});
