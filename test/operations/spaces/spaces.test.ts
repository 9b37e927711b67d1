import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { writeDocument } from "../../../src/operations/documents/write-document.ts";
import { readDocument } from "../../../src/operations/documents/read-document.ts";
import { grantTools } from "../../../src/operations/grants/grant-tools.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { closeSpace } from "../../../src/operations/spaces/close-space.ts";
import { listSpaces } from "../../../src/operations/spaces/list-spaces.ts";
import { openSpace } from "../../../src/operations/spaces/open-space.ts";
import { callTeamTool } from "../../../src/operations/tools/team-tools.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { listWorkspaces } from "../../../src/operations/workspaces/list-workspaces.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { showWorkspace } from "../../../src/operations/workspaces/show-workspace.ts";
import { callOk, callRefused, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

const DESIGN = `${REVIEW}/design`;
const bob = agentIn(REVIEW, "bob");
const open = (project: TestProject, more: object = {}) =>
  callOk(project, bob, openSpace, { name: "design", members: ["carol", "helper"], purpose: "Draw it.", ...more });
const said = async (project: TestProject, target: string): Promise<string[]> =>
  (await callOk(project, person, peekChannel, { target })).messages.map(({ from, content }) => `${from}: ${content}`);

describe("a sub-space", () => {
  it("has a channel of its own, wakes its members with its purpose, and is announced [spaces.open]", async () => {
    await using project = await openTeam();
    expect(await open(project)).toMatchObject({
      space: DESIGN,
      address: "@review/design",
      members: ["bob", "carol", "helper"],
      purpose: "Draw it.",
      openedBy: "bob",
    });
    expect(project.woken).toEqual(["carol", "helper@review:main"]);
    expect(await said(project, "@review/design")).toEqual(["bob: Draw it."]);
    expect(await said(project, "@review")).toEqual([
      "system: bob opened the space @review/design with carol, helper. Read it with: agent-worker peek @review/design",
    ]);
    const { workspaces } = await callOk(project, person, listWorkspaces, {});
    expect(workspaces.map(({ name }) => name)).toEqual(["review"]);
    expect((await callOk(project, person, showWorkspace, { target: "@review" })).spaces).toMatchObject([
      { address: "@review/design", state: "open" },
    ]);
  });

  it("is for its members: they write and mention there, others of the workspace read [spaces.members]", async () => {
    await using project = await openTeam();
    await open(project);
    const carol = agentIn(DESIGN, "carol");
    const receipt = await callOk(project, carol, sendMessage, { message: "@bob like this? @alice knows" });
    expect(receipt).toMatchObject({ space: DESIGN, recipients: [{ agent: "bob" }] });
    expect((await callOk(project, bob, sendMessage, { to: "@review/design", message: "yes" })).space).toBe(DESIGN);
    expect((await callOk(project, carol, sendMessage, { to: "@review", message: "back here" })).space).toBe(REVIEW);
    const alice = agentIn(REVIEW, "alice");
    expect(await callRefused(project, alice, sendMessage, { to: "@review/design", message: "me too" })).toMatchObject({
      code: "forbidden",
      message: "alice does not take part in @review/design.",
    });
    const read = await callOk(project, alice, listSpaces, { name: "design" });
    expect(read.messages.map(({ content }) => content)).toEqual(["Draw it.", "@bob like this? @alice knows", "yes"]);
  });

  it("goes on in the chain of its opener, with its limits [spaces.budget]", async () => {
    await using project = await openTeam({
      files: { "moniro.yaml": "defaults: { budget: { hops: 2, turns: 50 } }\n" },
    });
    const first = await callOk(project, person, sendMessage, { to: "@review", message: "@bob begin" });
    const opener = agentIn(REVIEW, "bob", first.id);
    await callOk(project, opener, openSpace, { name: "design", members: ["carol"], purpose: "Draw it." });
    const [purpose] = await project.store.read((store) => store.messages.page({ space: DESIGN, limit: 5 }));
    expect(purpose).toMatchObject({ root: first.id, cause: first.id, depth: 1 });
    const second = await callOk(project, agentIn(DESIGN, "carol", purpose?.id), sendMessage, { message: "@bob so?" });
    expect(second.warnings).toEqual([]);
    const third = await callOk(project, agentIn(DESIGN, "bob", second.id), sendMessage, { message: "@carol more" });
    expect(third.warnings.join()).toContain("Nobody was woken");
  });

  it("shares the documents and the grants of its workspace", async () => {
    await using project = await openTeam();
    await open(project);
    await callOk(project, person, writeDocument, { target: "@review", file: "plan.md", content: "the plan" });
    const carol = agentIn(DESIGN, "carol");
    expect((await callOk(project, carol, readDocument, { file: "plan.md" })).content).toBe("the plan");
    await callOk(project, carol, writeDocument, { file: "plan.md", content: "a better plan" });
    expect((await callOk(project, person, readDocument, { target: "@review", file: "plan.md" })).content).toBe(
      "a better plan",
    );
    expect(await callTeamTool(project.system, carol, "rule_list", {})).toMatchObject({ isError: true });
    await callOk(project, person, grantTools, { agent: "carol@review", tools: ["rule_list"] });
    expect(await callTeamTool(project.system, carol, "rule_list", {})).toMatchObject({ isError: false });
  });

  it("is closed by its opener or a person, who say the outcome in the channel [spaces.close]", async () => {
    await using project = await openTeam();
    await open(project);
    expect(await callRefused(project, agentIn(DESIGN, "carol"), closeSpace, { space: "design" })).toMatchObject({
      code: "forbidden",
    });
    const closed = await callOk(project, bob, closeSpace, { space: "design", outcome: "@alice it is drawn" });
    expect(closed).toMatchObject({ state: "closed" });
    expect((await said(project, "@review")).at(-1)).toBe(
      "bob: Closed the space @review/design: @alice it is drawn\nRead it with: agent-worker peek @review/design",
    );
    expect(project.woken.at(-1)).toBe("alice");
    const { open: waiting } = await project.store.read(async (store) => ({
      open: await store.deliveries.countOpen(DESIGN),
    }));
    expect(waiting).toBe(0);
    expect(await callRefused(project, person, sendMessage, { to: "@review/design", message: "late" })).toMatchObject({
      code: "not_running",
      message: 'There is no open space "design" in @review.',
    });
    expect(await said(project, "@review/design")).toEqual(["bob: Draw it."]);
    expect(
      (await callRefused(project, bob, openSpace, { name: "design", members: ["carol"], purpose: "again" })).code,
    ).toBe("conflict");
    await open(project, { name: undefined });
    await callOk(project, person, closeWorkspace, { target: "@review/space-1", reason: "enough" });
    expect((await said(project, "@review")).at(-1)).toContain("user: Closed the space @review/space-1: enough");
  });

  it("ends with its workspace, and is read with the instance it belongs to [spaces.instances]", async () => {
    const first = await openTeam();
    await open(first);
    await using project = await first.reopen();
    expect(await said(project, "@review/design")).toEqual(["bob: Draw it."]);
    await callOk(project, person, closeWorkspace, { target: "@review" });
    expect((await callOk(project, person, showWorkspace, { target: "@review" })).spaces).toMatchObject([
      { state: "closed" },
    ]);
    await callOk(project, person, openWorkspace, { workflow: "review" });
    expect((await callOk(project, person, showWorkspace, { target: "@review" })).spaces).toEqual([]);
    expect(await said(project, "@review/design~1")).toEqual(["bob: Draw it."]);
    expect(await open(project)).toMatchObject({ space: DESIGN });
    expect(await said(project, "@review/design")).toEqual(["bob: Draw it."]);
  });

  it("is refused for who is not in the workspace, alone, or without a channel", async () => {
    await using project = await openTeam();
    for (const members of [["zoe"], ["bob"]]) await callRefused(project, bob, openSpace, { members, purpose: "x" });
    expect(
      await callRefused(project, agentIn("bob", "bob"), openSpace, { members: ["carol"], purpose: "x" }),
    ).toMatchObject({ code: "forbidden" });
    expect((await callTeamTool(project.system, bob, "space_open", { members: ["carol"], purpose: "x" })).isError).toBe(
      true,
    );
    await callOk(project, person, grantTools, { agent: "bob@review", tools: ["space_open"] });
    const opened = await callTeamTool(project.system, bob, "space_open", { members: ["carol"], purpose: "x" });
    expect(opened.content).toContain('Write there with channel_send {"to": "@review/space-1"}.');
    expect((await callTeamTool(project.system, bob, "space_list", { name: "space-1" })).content).toContain("x");
  });
});
