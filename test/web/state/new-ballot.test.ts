import { describe, expect, it } from "vitest";
import { ballotInput, EMPTY_BALLOT, type BallotForm } from "../../../web/src/state/new-ballot.ts";

const input = (form: Partial<BallotForm>) =>
  ballotInput({ ...EMPTY_BALLOT, target: "@review:main", title: "Who?", ...form }, ["alice", "bob"]);

describe("the form for a new ballot", () => {
  it("[votes.page-form] is an election among the participants when no option is written", () => {
    expect(input({ follows: "document-owner" })).toEqual({
      target: "@review:main",
      title: "Who?",
      type: "election",
      options: ["alice", "bob"],
      then: "document-owner",
    });
  });

  it("takes one option per line, what follows, a quorum, and the person's own vote", () => {
    expect(input({ options: " now \n\nlater", quorum: "1", withPerson: true })).toMatchObject({
      type: "decision",
      options: ["now", "later"],
      quorum: 1,
      voters: ["alice", "bob", "user"],
    });
    expect(input({ follows: "assign", followsText: "Fix it" })).toMatchObject({
      type: "assignment",
      then: "assign: Fix it",
    });
    expect(input({ follows: "role", followsText: "lead" })).toMatchObject({ then: "role: lead" });
  });
});
