import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { acceptSuggestion } from "../../../src/operations/documents/accept-suggestion.ts";
import { listSuggestions } from "../../../src/operations/documents/list-suggestions.ts";
import { readDocument } from "../../../src/operations/documents/read-document.ts";
import { rejectSuggestion } from "../../../src/operations/documents/reject-suggestion.ts";
import { suggestDocument } from "../../../src/operations/documents/suggest-document.ts";
import { writeDocument } from "../../../src/operations/documents/write-document.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { callTeamTool } from "../../../src/operations/tools/team-tools.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { agentCaller } from "../../support/team/agent-caller.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";
import { agentFile, workflowFile } from "../../support/team/team.ts";

const SPACE = "@review:main";
const alice = agentCaller("alice", SPACE);
const bob = agentCaller("bob", SPACE);
const carol = agentCaller("carol", SPACE);

async function ownedByBob(provider = ""): Promise<TestProject> {
  const team = "agents:\n  alice: { ref: alice }\n  bob: { ref: bob }\n  carol: { ref: carol }\n";
  const project = await openTestProject({
    files: {
      ...agentFile("alice"),
      ...agentFile("bob"),
      ...agentFile("carol"),
      ...workflowFile("review", `${team}workspace: { documentOwner: bob${provider} }\n`),
    },
  });
  await callOk(project, person, openWorkspace, { workflow: "review" });
  await callOk(project, bob, writeDocument, { content: "first\n" });
  return project;
}

const text = async (project: TestProject): Promise<string> =>
  (await callOk(project, person, readDocument, { target: "@review" })).content;
const waitingFor = async (project: TestProject, agent: string): Promise<string[]> =>
  (await callOk(project, person, readInbox, { target: agent })).deliveries.map(({ message }) => message.content);

describe("a suggestion", () => {
  it("[document.suggest] [document.suggestions] [document.suggest-notice] is kept, listed and told to the owner, and changes nothing", async () => {
    await using project = await ownedByBob();
    const made = await callOk(project, alice, suggestDocument, { content: "second\n", note: "clearer, ask @carol" });
    expect(made).toMatchObject({ file: "notes.md", author: "alice", state: "open", way: "replace" });
    expect(await text(project)).toBe("first\n");
    const { suggestions } = await callOk(project, bob, listSuggestions, {});
    expect(suggestions).toEqual([made]);
    expect(await waitingFor(project, "bob")).toEqual([expect.stringContaining(made.id)]);
    expect(await waitingFor(project, "carol")).toEqual([]);
  });

  it("[document.suggestion-accept] is written when the owner accepts it, and only then", async () => {
    await using project = await ownedByBob();
    const { id } = await callOk(project, alice, suggestDocument, { content: "second\n" });
    expect((await callRefused(project, carol, acceptSuggestion, { id })).code).toBe("forbidden");
    expect((await callRefused(project, alice, acceptSuggestion, { id })).code).toBe("forbidden");
    expect(await callOk(project, bob, acceptSuggestion, { id })).toMatchObject({ state: "accepted", decidedBy: "bob" });
    expect(await text(project)).toBe("second\n");
    expect(await waitingFor(project, "alice")).toEqual(["Your suggestion for notes.md was accepted."]);
    expect((await callRefused(project, bob, acceptSuggestion, { id })).code).toBe("conflict");
    expect((await callOk(project, bob, listSuggestions, {})).suggestions).toEqual([]);
  });

  it("[document.suggestion-reject] leaves the document as it was when it is rejected, and its author hears why", async () => {
    await using project = await ownedByBob();
    const { id } = await callOk(project, alice, suggestDocument, { content: "second\n" });
    expect((await callRefused(project, carol, rejectSuggestion, { id })).code).toBe("forbidden");
    for (const target of ["@elsewhere", "%%% not a target"]) {
      expect((await callRefused(project, person, rejectSuggestion, { id, target })).code).toBe("not_found");
      expect((await callRefused(project, person, acceptSuggestion, { id, target })).code).toBe("not_found");
    }
    await callOk(project, person, rejectSuggestion, { id, reason: "Too early." });
    expect(await text(project)).toBe("first\n");
    expect(await waitingFor(project, "alice")).toEqual(["Your suggestion for notes.md was rejected. Too early."]);
    expect((await callRefused(project, bob, acceptSuggestion, { id })).message).toContain("rejected by user already");
  });

  it("is stale when the document changed in between, unless it only adds to it", async () => {
    await using project = await ownedByBob();
    const whole = await callOk(project, alice, suggestDocument, { content: "second\n" });
    const more = await callOk(project, alice, suggestDocument, { content: "more\n", way: "append" });
    await callOk(project, bob, writeDocument, { content: "changed\n" });
    expect((await callRefused(project, bob, acceptSuggestion, { id: whole.id })).code).toBe("stale_revision");
    expect((await callOk(project, bob, listSuggestions, {})).suggestions).toHaveLength(2);
    await callOk(project, bob, acceptSuggestion, { id: more.id });
    expect(await text(project)).toBe("changed\nmore\n");
  });

  it("of another workspace does not exist here, and an unusable name is refused", async () => {
    await using project = await ownedByBob();
    const { id } = await callOk(project, alice, suggestDocument, { content: "second\n" });
    const elsewhere = agentCaller("bob", "bob");
    expect((await callRefused(project, elsewhere, acceptSuggestion, { id })).code).toBe("forbidden");
    expect((await callRefused(project, alice, suggestDocument, { file: "../x.md", content: "x" })).code).toBe(
      "invalid",
    );
    expect((await callRefused(project, bob, acceptSuggestion, { id: "sug_none" })).code).toBe("not_found");
  });

  it("works through the tools an agent has", async () => {
    await using project = await ownedByBob();
    const made = await callTeamTool(project.system, alice, "team_doc_suggest", { content: "more", way: "append" });
    const id = /sug_\w+/.exec(made.content)?.[0] ?? "";
    const listed = await callTeamTool(project.system, bob, "team_doc_review", {});
    expect(listed.content).toContain(`${id}: alice would add to notes.md\nmore`);
    const undecided = await callTeamTool(project.system, bob, "team_doc_review", { id });
    expect(undecided).toMatchObject({ isError: true });
    await callTeamTool(project.system, bob, "team_doc_review", { id, decision: "accept" });
    expect(await text(project)).toBe("first\nmore");
  });
});
