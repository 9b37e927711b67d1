import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { cancelBallot } from "../../../src/operations/ballots/cancel-ballot.ts";
import { expireBallots } from "../../../src/operations/ballots/expire-ballots.ts";
import { remindVoters } from "../../../src/operations/ballots/remind-voters.ts";
import { showBallot } from "../../../src/operations/ballots/show-ballot.ts";
import { openBallot, said, vote } from "../../support/team/ballot.ts";
import { callOk } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

const alice = agentIn(REVIEW, "alice");
const bob = agentIn(REVIEW, "bob");

describe("the end of a ballot", () => {
  it("wakes who opened it when a person cancels it, and not who ended it", async () => {
    await using project = await openTeam();
    const cancelled = await openBallot(project);
    const own = await openBallot(project, { voters: ["alice"] });
    const woken = project.woken.length;
    await callOk(project, person, cancelBallot, { id: cancelled.id });
    expect(project.woken.slice(woken)).toEqual(["alice"]);
    await vote(project, alice, own.id, "sqlite");
    expect(project.woken.slice(woken)).toEqual(["alice"]);
  });

  it("wakes the one it concerns once, also when it opened the ballot itself", async () => {
    await using project = await openTeam();
    const open = (caller = alice) =>
      openBallot(
        project,
        { target: "@review", options: ["alice", "carol"], then: "document-owner", voters: ["bob"] },
        caller,
      );
    const other = await open();
    const self = await open();
    const persons = await open(person);
    const woken = project.woken.length;
    await vote(project, bob, other.id, "carol");
    expect(project.woken.slice(woken)).toEqual(["alice", "carol"]);
    await vote(project, bob, self.id, "alice");
    expect(project.woken.slice(woken + 2)).toEqual(["alice"]);
    await vote(project, bob, persons.id, "carol");
    expect(project.woken.slice(woken + 3)).toEqual(["carol"]);
  });

  it("belongs to the chain of the ballot, so that ballots that follow from each other use up one budget", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, {
      options: ["bob", "carol"],
      then: "assign: Fix it",
      voters: ["bob"],
    });
    await vote(project, bob, ballot.id, "carol");
    const messages = await project.store.read(({ messages: reads }) => reads.page({ space: REVIEW, limit: 100 }));
    const [opening, outcome, task] = messages.filter(({ kind }) => kind === "message").slice(-3);
    expect(outcome).toMatchObject({ root: opening?.root, cause: opening?.id, mentions: ["alice"] });
    expect(task).toMatchObject({ root: opening?.root, cause: opening?.id, addressee: "carol" });
    expect(project.woken.at(-1)).toBe("carol");
  });
});

describe("a reminder", () => {
  it("wakes who has not voted when half of the time is over, once", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, { voters: ["alice", "bob", "user"], timeout: "10m" });
    await vote(project, bob, ballot.id, "sqlite");
    const woken = project.woken.length;
    project.clock.advance(299_000);
    expect(await callOk(project, systemCaller, remindVoters, {})).toEqual({ reminded: [] });
    project.clock.advance(1_000);
    expect(await callOk(project, systemCaller, remindVoters, {})).toEqual({ reminded: [ballot.id] });
    expect(await callOk(project, systemCaller, remindVoters, {})).toEqual({ reminded: [] });
    expect(project.woken.slice(woken)).toEqual(["alice"]);
    expect((await said(project)).at(-1)).toMatch(/^Not voted yet on the ballot .*: @alice, @user\./);
  });

  it("is the last chance when nothing else happens, but a person is waited for", async () => {
    await using project = await openTeam();
    const agents = await openBallot(project, { voters: ["bob"], fallback: "postgres" });
    const persons = await openBallot(project, { voters: ["bob", "user"] });
    const idle = { idleSpace: REVIEW };
    expect(await callOk(project, systemCaller, expireBallots, idle)).toEqual({ closed: [] });
    await callOk(project, systemCaller, remindVoters, { space: REVIEW });
    const closed = [{ id: agents.id, state: "expired" }];
    expect(await callOk(project, systemCaller, expireBallots, idle)).toEqual({ closed });
    expect(await callOk(project, person, showBallot, { id: persons.id })).toMatchObject({ state: "open" });
    expect((await said(project)).at(-1)).toMatch(/^Nobody else votes: .* ends with its fallback "postgres"/);
  });
});
