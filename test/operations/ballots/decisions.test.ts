import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { ok } from "../../../src/kernel/result.ts";
import { cancelBallot } from "../../../src/operations/ballots/cancel-ballot.ts";
import { castVote } from "../../../src/operations/ballots/cast-vote.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { expireBallots } from "../../../src/operations/ballots/expire-ballots.ts";
import { recordDecisions } from "../../../src/operations/ballots/record-decisions.ts";
import { readDocument } from "../../../src/operations/documents/read-document.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW, TEAM, workflowFile } from "../../support/team/team.ts";

const bob = agentIn(REVIEW, "bob");
const FILE = ".workspace/review/main/documents/decisions.md";

function written(project: TestProject): string {
  return existsSync(join(project.dir, FILE)) ? readFileSync(join(project.dir, FILE), "utf8") : "";
}

async function decide(project: TestProject, title: string, option = "approve"): Promise<string> {
  const { id } = await callOk(project, person, createBallot, {
    target: "@review",
    type: "approval",
    title,
    voters: ["bob"],
  });
  await callOk(project, bob, castVote, { id, option, reason: "it is sound" });
  return id;
}

/** The file is written after the vote was answered. */
function untilWritten(project: TestProject, id: string): Promise<void> {
  return vi.waitFor(() => expect(written(project)).toContain(id), { timeout: 5_000, interval: 5 });
}

async function unrecorded(project: TestProject): Promise<string[]> {
  return project.store.read(async (store) => (await store.ballots.unrecorded(REVIEW, 100)).map(({ id }) => id));
}

describe("decisions.md", () => {
  it("gets every ballot that was decided, and none that was cancelled [ballot.decisions-file]", async () => {
    await using project = await openTeam();
    const merged = await decide(project, "Merge the parser?");
    await untilWritten(project, merged);
    const cancelled = await callOk(project, person, createBallot, {
      target: "@review",
      type: "approval",
      title: "Never mind",
    });
    await callOk(project, person, cancelBallot, { id: cancelled.id });
    const late = await callOk(project, person, createBallot, {
      target: "@review",
      type: "approval",
      title: "Too late",
      fallback: "reject",
    });
    project.clock.advance(3_600_000);
    await callOk(project, systemCaller, expireBallots, {});
    await untilWritten(project, late.id);
    expect(written(project)).toBe(
      [
        "# Decisions",
        "",
        "## Merge the parser?",
        "",
        `Ballot ${merged}, approval by user, resolved 2026-01-05T09:00:00.000Z`,
        "",
        "- Outcome: Approve",
        "- Votes: Approve: 1, Reject: 0; 1 of 1 voted (plurality, quorum 1)",
        "  - bob: approve (it is sound)",
        "",
        "## Too late",
        "",
        `Ballot ${late.id}, approval by user, expired 2026-01-05T10:00:00.000Z`,
        "",
        "- Outcome: Reject (fallback)",
        "- Votes: Approve: 0, Reject: 0; 0 of 4 voted (plurality, quorum 4)",
        "",
      ].join("\n"),
    );
    expect(project.published.findLast(({ type }) => type === "document.written")).toMatchObject({
      file: "decisions.md",
      by: "system",
    });
    expect(await unrecorded(project)).toEqual([]);
  });

  it("says what a binding ballot did, and what was refused", async () => {
    await using project = await openTeam();
    for (const owner of ["alice", "zoe"]) {
      const then = { propose: "set-document-owner", data: { target: "@review", owner } };
      const { id } = await callOk(project, person, createBallot, {
        target: "@review",
        type: "election",
        title: `Should ${owner} own it?`,
        options: [{ label: "yes", then }, "no"],
        binding: true,
        voters: ["bob"],
      });
      await callOk(project, bob, castVote, { id, option: "yes" });
      await untilWritten(project, id);
    }
    expect(written(project)).toContain("- Done: set-document-owner\n");
    expect(written(project)).toContain("- Refused: set-document-owner. zoe is not a participant");
  });

  it("keeps what people wrote into it, and is not undone by them", async () => {
    await using project = await openTeam();
    const first = await decide(project, "One?");
    await untilWritten(project, first);
    writeFileSync(join(project.dir, FILE), "Our own words");
    const second = await decide(project, "Two?");
    await untilWritten(project, second);
    expect(written(project)).toMatch(/^Our own words\n\n## Two\?\n/);
    expect(written(project)).not.toContain(first);
  });

  it("gets ballots that close at the same moment, each once", async () => {
    await using project = await openTeam();
    const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => decide(project, `Number ${index}?`)));
    await vi.waitFor(async () => expect(await unrecorded(project)).toEqual([]), { timeout: 5_000, interval: 5 });
    for (const id of ids) expect(written(project).split(id)).toHaveLength(2);
  });

  it("is in the database when the documents are", async () => {
    const files = {
      ...TEAM,
      ...workflowFile("kept", "agents: { bob: { ref: bob } }\nworkspace: { documents: sqlite }\n"),
    };
    await using project = await openTestProject({ files });
    await callOk(project, person, openWorkspace, { workflow: "kept" });
    const { id } = await callOk(project, person, createBallot, { target: "@kept", type: "approval", title: "Keep?" });
    await callOk(project, agentIn("@kept:main", "bob"), castVote, { id, option: "approve" });
    await vi.waitFor(
      async () => {
        const { content } = await callOk(project, person, readDocument, { target: "@kept", file: "decisions.md" });
        expect(content).toContain(id);
      },
      { timeout: 5_000, interval: 5 },
    );
  });
});

describe("a crash", () => {
  /** As if the daemon had died before the flag was committed. */
  async function forget(project: TestProject, id: string): Promise<void> {
    await project.store.transact(async (store) => {
      const ballot = await store.ballots.byId(id);
      if (ballot === undefined) throw new Error("no ballot");
      await store.ballots.open({ ...ballot, id: `${id}x` });
      return ok(undefined);
    });
  }

  it("before the file was written is made up for at the next start", async () => {
    await using first = await openTeam();
    const id = await decide(first, "Before the crash?");
    await untilWritten(first, id);
    await forget(first, id);
    expect(await unrecorded(first)).toEqual([`${id}x`]);
    await using project = await first.reopen();
    await untilWritten(project, `${id}x`);
    await vi.waitFor(async () => expect(await unrecorded(project)).toEqual([]), { timeout: 5_000, interval: 5 });
  });

  it("between the file and the commit does not add the entry twice", async () => {
    await using first = await openTeam();
    const id = await decide(first, "In between?");
    await untilWritten(first, id);
    await forget(first, id);
    writeFileSync(join(first.dir, FILE), written(first).replaceAll(id, `${id}x`));
    const before = written(first);
    await using project = await first.reopen();
    await vi.waitFor(async () => expect(await unrecorded(project)).toEqual([]), { timeout: 5_000, interval: 5 });
    expect(written(project)).toBe(before);
  });

  it("of the disk leaves the decision as it is, to be written later", async () => {
    await using project = await openTeam();
    project.write(`${FILE}/in-the-way`, "a folder where the file should be");
    const id = await decide(project, "Blocked?");
    expect(await callRefused(project, systemCaller, recordDecisions, { space: REVIEW })).toMatchObject({
      message: expect.any(String),
    });
    expect(await unrecorded(project)).toEqual([id]);
  });
});

describe("record-decisions", () => {
  it("is the system's own business, and does nothing when nothing is due", async () => {
    await using project = await openTeam();
    for (const caller of [person, bob]) {
      expect(await callRefused(project, caller, recordDecisions, { space: REVIEW })).toMatchObject({
        code: "forbidden",
      });
    }
    expect(await callOk(project, systemCaller, recordDecisions, { space: REVIEW })).toEqual({
      recorded: [],
      more: false,
    });
    expect(existsSync(join(project.dir, FILE))).toBe(false);
    expect(await callRefused(project, systemCaller, recordDecisions, { space: "@none:main" })).toMatchObject({
      code: "not_found",
    });
  });
});
