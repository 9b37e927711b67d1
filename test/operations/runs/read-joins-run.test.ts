import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { readChannel } from "../../../src/operations/messages/read-channel.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { agentOf, runHolder, send, textsOf } from "../../support/team/leased-run.ts";
import { callOk } from "../../support/team/project.ts";
import { openTeam } from "../../support/team/team.ts";

describe("what an agent reads in its run", () => {
  it("joins the run, and is acknowledged when the run succeeds", async () => {
    await using project = await openTeam();
    const { begin, succeed, next } = runHolder(project);
    await send(project, "@review", "@alice one");
    const begun = await begin("alice");
    await send(project, "@review", "@alice two");
    await callOk(project, agentOf(begun), readChannel, {});
    await succeed(begun, "both of them");
    expect(await next("alice")).toBeNull();
  });

  it("is delivered again, with the rest, when the run fails", async () => {
    await using project = await openTeam();
    const { begin, fail } = runHolder(project);
    await send(project, "@review", "@alice one");
    const begun = await begin("alice");
    await send(project, "@review", "@alice two");
    await callOk(project, agentOf(begun), readChannel, {});
    const { resumeAt } = await fail(begun, "transient");
    project.clock.set(resumeAt ?? 0);
    const again = await begin("alice");
    expect(again.run.id).toBe(begun.run.id);
    expect(await textsOf(project, again)).toEqual(["@alice one", "@alice two"]);
  });

  it("is only what it was shown: the rest waits for the next run", async () => {
    await using project = await openTeam();
    const { begin, succeed } = runHolder(project);
    await send(project, "@review", "@alice one");
    const begun = await begin("alice");
    await send(project, "@review", "@alice not shown");
    await send(project, "@review", "@alice shown");
    await callOk(project, agentOf(begun), readChannel, { limit: 1 });
    await send(project, "@review", "@alice later");
    await succeed(begun, "");
    expect(await textsOf(project, await begin("alice"))).toEqual(["@alice not shown", "@alice later"]);
  });

  it("does not take over what another of its runs was put aside with, nor what waits elsewhere", async () => {
    await using project = await openTeam();
    await callOk(project, person, openWorkspace, { workflow: "review", tag: "two" });
    const { begin, step, park, succeed } = runHolder(project);
    await send(project, "alice@review", "aside");
    const aside = await begin("alice");
    await step(aside, 1);
    await park(aside);
    await send(project, "@review", "@alice urgent");
    await send(project, "@review:two", "@alice elsewhere");
    const urgent = await begin("alice");
    expect(await textsOf(project, urgent)).toEqual(["@alice urgent"]);
    await callOk(project, agentOf(urgent), readChannel, {});
    await succeed(urgent, "");
    const elsewhere = await begin("alice");
    expect(await textsOf(project, elsewhere)).toEqual(["@alice elsewhere"]);
    await succeed(elsewhere, "");
    expect(await begin("alice")).toMatchObject({ run: { id: aside.run.id }, finishedSteps: 1 });
  });

  it("joins nothing when it only peeks, or when another reads", async () => {
    await using project = await openTeam();
    const { begin, succeed } = runHolder(project);
    await send(project, "@review", "@alice one");
    const begun = await begin("alice");
    await send(project, "@review", "@alice two");
    await callOk(project, agentOf(begun), peekChannel, {});
    await callOk(project, person, readChannel, { target: "@review" });
    await send(project, "bob@review", "hello");
    await callOk(project, agentOf(await begin("bob")), readChannel, {});
    await succeed(begun, "");
    expect(await textsOf(project, await begin("alice"))).toEqual(["@alice two"]);
  });
});
