import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { secondBuild } from "../../support/process/second-build.ts";
import { startEveryToolTeam, type EveryToolTeam } from "../../support/team/every-team-tool.ts";
import { expectEffectsOnce, withoutIds } from "../../support/team/expect-effects-once.ts";

/** The note is in its file, and nothing of its call is in the store. */
const KILL_AT = "after:-note-basalt.md";

describe("once means once", () => {
  let team: EveryToolTeam;
  beforeAll(async () => {
    team = await startEveryToolTeam(KILL_AT);
  });
  afterAll(() => team?.[Symbol.asyncDispose]());

  it("a step with every team tool that was cut off does each thing once, and every tool answers as the first time [once.effects]", async () => {
    const undisturbed = await team.step("amber");
    await expectEffectsOnce(team, "amber");
    const answers = await team.killInStep("basalt", KILL_AT);
    await expectEffectsOnce(team, "basalt");
    expect(withoutIds(answers, "basalt")).toEqual(withoutIds(undisturbed, "amber"));
    // Each step ticked one of the todos that were on the list before.
    expect(team.file(".agents/alice/todo/index.md").match(/\[x\]/g)).toHaveLength(2);
  });

  it("a command of another build than the daemon says so, and how to mend it [once.build]", async () => {
    using other = secondBuild();
    const { command, hash } = other;
    const [version, listed] = await Promise.all([team.run(["--version"], { command }), team.run(["ls"], { command })]);
    expect(version.out).toBe(`${manifest.version} (${hash})\n`);
    expect(listed).toMatchObject({ exit: 0 });
    expect(listed.err).toMatch(
      /^Note: the daemon is version \d.+, this command .+ \(0ther0ne\)\. Restart it with: agent-worker daemon restart\n$/,
    );
    expect((await team.run(["ls"])).err).toBe("");
  });
});
