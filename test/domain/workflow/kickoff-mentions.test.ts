import { describe, expect, it } from "vitest";
import type { AgentEntry } from "../../../src/domain/workflow/definition.ts";
import { checkKickoffMentions } from "../../../src/domain/workflow/kickoff-mentions.ts";
import { refused, value } from "../../support/result.ts";

const agents: Record<string, AgentEntry> = {
  coder: { kind: "ref", ref: "coder" },
  reviewer: { kind: "ref", ref: "reviewer" },
};
const check = (kickoff: string | undefined) =>
  checkKickoffMentions(kickoff === undefined ? { agents } : { agents, kickoff });

describe("checkKickoffMentions", () => {
  it.each([
    [undefined, []],
    ["@reviewer look at this, then @coder", ["reviewer", "coder"]],
    ["@all begin", ["coder", "reviewer"]],
    ["@coder: `@types/node` and \\@somebody are text, a@b.c is an address", ["coder"]],
    ["@coder: ask @user when you are done", ["coder"]],
  ])("%j wakes %j", (kickoff, wakes) => {
    expect(value(check(kickoff))).toEqual({ wakes });
  });

  it("refuses a name that does not take part, with its place and what was meant", () => {
    expect(refused(check("Look at this:\n  @reviewr, please"))).toEqual({
      code: "invalid",
      message: "The kickoff mentions @reviewr, who does not take part in this workflow.",
      hint: 'Did you mean "reviewer"? Known participants: coder, reviewer. If nobody is meant, write \\@reviewr.',
      details: { name: "reviewr", line: 2, column: 3 },
    });
    expect(refused(check("@Coder go")).message).toContain("@Coder");
  });

  it("warns when nobody is mentioned; filled-in values mention no one", () => {
    for (const kickoff of ["Look at the tests.", "${{ changes }} @${{ who }}", "`@coder`"]) {
      expect(value(check(kickoff))).toEqual({
        wakes: [],
        warning: {
          message: "The kickoff mentions nobody, so it wakes no agent.",
          hint: "Mention who shall begin: @coder, @reviewer, or @all.",
        },
      });
    }
  });

  it("is not confused by names in placeholders", () => {
    expect(value(check("@coder see ${{ params.base }} and $${{ x }} of @reviewer"))).toEqual({
      wakes: ["coder", "reviewer"],
    });
  });
});
