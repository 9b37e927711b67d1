import { expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { requestApproval } from "../../../src/operations/approvals/request-approval.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { listDecisions } from "../../../src/operations/decisions/list-decisions.ts";
import { suggestDocument } from "../../../src/operations/documents/suggest-document.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { agentOf, runHolder } from "../../support/team/leased-run.ts";
import { callOk, type TestProject } from "../../support/team/project.ts";
import { openTeam } from "../../support/team/team.ts";

const NOTHING = {
  approvals: [],
  ballots: [],
  suggestions: [],
  souls: [],
  memories: [],
  deadLetters: [],
  awaiting: 0,
};

function ballot(project: TestProject, title: string, voters: readonly string[]) {
  return callOk(project, person, createBallot, {
    target: "@review",
    type: "decision",
    title,
    options: ["yes", "no"],
    voters: [...voters],
  });
}

it("[ui.one-request] one request lists what waits in every workspace, and counts what only the person can decide", async () => {
  await using project = await openTeam();
  expect(await callOk(project, person, listDecisions, {})).toEqual(NOTHING);

  await callOk(project, person, sendMessage, { to: "@review", message: "@alice please test" });
  const run = await runHolder(project).begin("alice");
  const call = { id: "call_1", tool: "bash", args: { command: "npm test" } };
  const asked = await callOk(project, agentOf(run), requestApproval, { call });
  project.clock.advance(1000);
  const [mine, theirs] = [await ballot(project, "Mine?", ["user"]), await ballot(project, "Theirs?", ["alice"])];
  const suggested = await callOk(project, agentOf(run), suggestDocument, { content: "- more\n", way: "append" });

  const listed = await callOk(project, person, listDecisions, {});
  expect(listed.approvals.map(({ id }) => id)).toEqual([asked.id]);
  expect(listed.ballots.map(({ id }) => id)).toEqual([mine.id, theirs.id]);
  expect(listed.suggestions.map(({ id }) => id)).toEqual([suggested.id]);
  expect(listed.awaiting).toBe(3);
  expect(await callOk(project, person, listDecisions, { target: "@review" })).toEqual(listed);
  expect(await callOk(project, person, listDecisions, { target: "bob" })).toEqual(NOTHING);
});
