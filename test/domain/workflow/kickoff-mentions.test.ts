import { expect, it } from "vitest";
import { kickoffMentions } from "../../../src/domain/workflow/kickoff-mentions.ts";

it.each([
  ["@alice begin", [], false],
  ["@all begin", [], false],
  ["@alcie and @bob", ["alcie"], false],
  ["nobody is meant", [], true],
  ["@user please watch", [], true],
  ["look at `@decorator` and \\@alcie", [], true],
  ["${{ params.who }} and @${{ params.name }}", [], true],
  ["${{ outputs['@alcie'] }} for @bob", [], false],
  ["", [], true],
])("reads whom %j wakes", (kickoff, unknown, wakesNobody) => {
  expect(kickoffMentions(kickoff, ["alice", "bob"])).toEqual({ unknown, wakesNobody });
});
