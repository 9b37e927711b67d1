import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW, TEAM } from "../../support/team/team.ts";

const bob = agentIn(REVIEW, "bob");

function channel(project: TestProject) {
  return callOk(project, person, peekChannel, { target: "@review" }).then(({ messages }) => messages);
}

function inbox(project: TestProject, target: string) {
  return callOk(project, person, readInbox, { target }).then(({ deliveries }) => deliveries);
}

describe("a send with an idempotency key", () => {
  it("answers the first receipt again and posts nothing [message.idempotency-key]", async () => {
    await using project = await openTeam();
    const data = { to: "@review", message: "@alice once", idempotencyKey: "k1" };
    const first = await callOk(project, person, sendMessage, data);
    const before = project.published.length;
    expect(await callOk(project, person, sendMessage, data)).toEqual({ ...first, duplicate: true });
    expect(await callOk(project, person, sendMessage, { ...data, to: "bob@review", message: "other" })).toEqual({
      ...first,
      duplicate: true,
    });
    expect(project.published).toHaveLength(before);
    expect(project.woken).toEqual(["alice"]);
    await callOk(project, person, closeWorkspace, { target: "@review" });
    expect(await callOk(project, person, sendMessage, data)).toMatchObject({ id: first.id, duplicate: true });
    await using later = await project.reopen();
    expect(await callOk(later, person, sendMessage, data)).toMatchObject({ id: first.id, duplicate: true });
  });

  it("is accepted once of many that come at the same moment", async () => {
    await using project = await openTeam();
    const data = { to: "@review", message: "@alice once", idempotencyKey: "k1" };
    const receipts = await Promise.all(Array.from({ length: 20 }, () => callOk(project, person, sendMessage, data)));
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1);
    expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(await channel(project)).toHaveLength(1);
    expect(await inbox(project, "alice")).toHaveLength(1);
  });

  it("is a conflict in another space, and the business of each sender alone", async () => {
    await using project = await openTeam();
    await callOk(project, person, sendMessage, { to: "@review", message: "one", idempotencyKey: "k1" });
    expect(
      await callRefused(project, person, sendMessage, { to: "alice", message: "one", idempotencyKey: "k1" }),
    ).toMatchObject({
      code: "conflict",
      hint: "Use a new key for each message.",
    });
    expect(await callOk(project, bob, sendMessage, { message: "mine", idempotencyKey: "k1" })).toMatchObject({
      duplicate: false,
    });
  });

  it("may be used again when the first was refused", async () => {
    await using project = await openTestProject({ files: TEAM });
    const data = { to: "@review", message: "x", idempotencyKey: "k1" };
    await callRefused(project, person, sendMessage, data);
    await callOk(project, person, openWorkspace, { workflow: "review" });
    expect(await callOk(project, person, sendMessage, data)).toMatchObject({ duplicate: false });
  });
});
