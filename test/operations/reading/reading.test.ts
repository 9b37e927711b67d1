import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { writeDocument } from "../../../src/operations/documents/write-document.ts";
import { listUnread } from "../../../src/operations/reading/list-unread.ts";
import { markRead } from "../../../src/operations/reading/mark-read.ts";
import { search } from "../../../src/operations/reading/search.ts";
import { agentOf, runHolder, send } from "../../support/team/leased-run.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { callOk } from "../../support/team/project.ts";
import { openTeam, REVIEW } from "../../support/team/team.ts";

describe("search", () => {
  it("finds a text in messages of all spaces, documents, agents and workspaces, and pages [ui.search]", async () => {
    await using project = await openTeam();
    await send(project, "@review", "the Timeout is too short");
    await send(project, "alice", "look at the timeout");
    await send(project, "@review", "nothing of interest");
    await callOk(project, person, writeDocument, { target: "@review", content: "# Plan\n\n- raise the timeout\n" });

    const found = await callOk(project, person, search, { text: "timeout" });
    expect(found.messages.map(({ space }) => space)).toEqual(["alice", REVIEW]);
    expect(found.documents).toMatchObject([{ space: REVIEW, line: 3, text: "- raise the timeout" }]);
    expect(found.next).toBeNull();
    const part = await callOk(project, person, search, { text: "timeout", limit: 1 });
    expect(part.messages).toHaveLength(1);
    const rest = await callOk(project, person, search, { text: "timeout", limit: 1, before: part.next ?? 0 });
    expect(rest).toMatchObject({ messages: [{ space: REVIEW }], documents: [], agents: [] });

    expect(await callOk(project, person, search, { text: "REVIEW" })).toMatchObject({
      agents: [{ name: "alice", role: "reviewer" }],
      workspaces: [{ space: REVIEW, state: "open" }],
    });
  });
});

describe("unread", () => {
  it("counts what others said since the person looked, and survives [ui.unread]", async () => {
    await using project = await openTeam();
    await send(project, "@review", "@alice hello");
    expect((await callOk(project, person, listUnread, {})).spaces).toEqual([]);
    const begun = await runHolder(project).begin("alice");
    const first = await callOk(project, agentOf(begun), sendMessage, { to: "@review", message: "Hello, @user." });
    await callOk(project, agentOf(begun), sendMessage, { to: "@review", message: "And more." });
    expect((await callOk(project, person, listUnread, {})).spaces).toMatchObject([
      { space: REVIEW, messages: 2, mentions: 1 },
    ]);
    await callOk(project, person, markRead, { target: "@review", seq: first.seq });
    expect((await callOk(project, person, listUnread, {})).spaces).toMatchObject([
      { space: REVIEW, messages: 1, mentions: 0, readTo: first.seq },
    ]);
    // Beyond the last message there is nothing to read.
    const { readTo } = await callOk(project, person, markRead, { target: "@review", seq: 1_000_000 });
    expect(readTo).toBeLessThan(1_000_000);
    expect((await callOk(project, person, listUnread, {})).spaces).toEqual([]);
  });
});
