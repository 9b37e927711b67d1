import { describe, expect, it } from "vitest";
import { grantsAfter } from "../../../src/domain/grant/held-grants.ts";
import { person, type Caller } from "../../../src/kernel/caller.ts";
import { seededRandom } from "../../../src/kernel/random.ts";
import { listTools } from "../../../src/operations/agents/list-tools.ts";
import { deleteAgent } from "../../../src/operations/agents/delete-agent.ts";
import { showAgent } from "../../../src/operations/agents/show-agent.ts";
import { grantTools } from "../../../src/operations/grants/grant-tools.ts";
import { listGrants } from "../../../src/operations/grants/list-grants.ts";
import { revokeTools } from "../../../src/operations/grants/revoke-tools.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { listMembers } from "../../../src/operations/workspaces/list-members.ts";
import { callTeamTool } from "../../../src/operations/tools/team-tools.ts";
import { callOk, callRefused, type TestProject } from "../../support/team/project.ts";
import { agentFile, agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

const bob = agentIn(REVIEW, "bob");
const held = (project: TestProject) => project.store.read((store) => store.grants.inSpace(REVIEW));
const page = (project: TestProject) =>
  project.store.read((store) => store.messages.page({ space: REVIEW, limit: 500 }));

describe("a grant", () => {
  it("is a message that wakes nobody, unless its reason mentions somebody [grants.messages]", async () => {
    await using project = await openTeam();
    await callOk(project, person, grantTools, { agent: "bob@review", tools: ["rule_add"] });
    expect(project.woken).toEqual([]);
    await callOk(project, person, grantTools, {
      agent: "carol@review",
      tools: ["rule_add"],
      reason: "@alice, for you",
    });
    expect(project.woken).toEqual(["alice"]);
    const { seq } = await callOk(project, person, revokeTools, { agent: "bob@review", tools: ["rule_add"] });
    const before = (await callOk(project, person, listGrants, { target: "@review", at: seq - 1 })).grants;
    expect(before.map(({ agent }) => agent)).toEqual(["bob", "carol"]);
    expect((await callOk(project, person, listGrants, { target: "@review", at: seq })).grants).toHaveLength(1);
    expect((await page(project)).map(({ kind, sender, body }) => `${kind} ${sender}: ${body}`)).toEqual([
      "grant user: bob may use rule_add.",
      "grant user: carol may use rule_add.\n@alice, for you",
      "revoke user: bob may no longer use rule_add.",
    ]);
  });

  it("shows in the list of members, of tools and of the agent, also after a restart", async () => {
    const first = await openTeam();
    await callOk(first, person, grantTools, { agent: "bob@review", tools: ["rule_add"], handOn: true });
    await using project = await first.reopen();
    const grant = { tool: "rule_add", handOn: true, by: "user" };
    const { members } = await callOk(project, person, listMembers, { target: "@review" });
    expect(members.find(({ agent }) => agent === "bob")?.grants).toEqual([grant]);
    expect((await callOk(project, person, showAgent, { name: "bob" })).grants).toEqual([
      { ...grant, space: REVIEW, agent: "bob" },
    ]);
    const { tools } = await callOk(project, person, listTools, { agent: "bob@review" });
    expect(tools.filter(({ source }) => source === "grant").map(({ name }) => name)).toEqual([
      "rule_add",
      "grant",
      "revoke",
    ]);
    const listed = await callTeamTool(project.system, agentIn(REVIEW, "alice"), "team_members", {});
    expect(listed.content).toContain("granted: rule_add");
  });

  it("gives a tool at once, and a revocation takes it with a plain refusal", async () => {
    await using project = await openTeam();
    const list = () => callTeamTool(project.system, bob, "rule_list", {});
    expect(await list()).toMatchObject({ isError: true });
    await callOk(project, person, grantTools, { agent: "bob@review", tools: ["rule_list"] });
    expect(await list()).toMatchObject({ isError: false });
    await callOk(project, person, revokeTools, { agent: "bob@review", tools: ["rule_list"] });
    expect((await list()).content).toContain("neither your definition nor a grant gives you this tool");
  });

  it("widens `tools` of a definition, but nothing that it denies [grants.deny-wins]", async () => {
    await using project = await openTeam({
      files: agentFile("bob", "tools: [channel_send]\npermissions: { deny: [proposal_vote] }\n"),
    });
    const refused = await callRefused(project, person, grantTools, { agent: "bob@review", tools: ["proposal_vote"] });
    expect(refused.message).toBe("The definition of bob denies proposal_vote, and that wins over every grant.");
    await callOk(project, person, grantTools, { agent: "bob@review", tools: ["proposal_status"] });
    const { tools } = await callOk(project, person, listTools, { agent: "bob@review" });
    expect(tools.map(({ name }) => name)).toEqual([
      "channel_send",
      "my_inbox",

      "no_action",
      "proposal_status",
    ]);
  });

  it("gives a preset of tools, and no shell with it", async () => {
    await using project = await openTeam({ files: agentFile("bob", "tools: minimal\n") });
    await callOk(project, person, grantTools, { agent: "bob@review", tools: ["team"] });
    const { tools } = await callOk(project, person, listTools, { agent: "bob@review" });
    const names = tools.map(({ name }) => name);
    expect(names).toContain("proposal_create");
    expect(names).not.toContain("rule_add");
    expect(names).not.toContain("bash");
  });

  it("gives no power on the machine, and only tools that exist", async () => {
    await using project = await openTeam();
    for (const tool of ["bash", "write_file", "skill_read"]) {
      const refused = await callRefused(project, person, grantTools, { agent: "bob@review", tools: [tool] });
      expect(refused).toMatchObject({ code: "forbidden" });
    }
    const unknown = await callRefused(project, person, grantTools, { agent: "bob@review", tools: ["rule_ad"] });
    expect(unknown.hint).toContain('Did you mean "rule_add"?');
    expect(await callRefused(project, person, grantTools, { agent: "@review", tools: ["rule_add"] })).toMatchObject({
      code: "invalid",
    });
    expect(await callRefused(project, person, grantTools, { agent: "zoe@review", tools: ["rule_add"] })).toMatchObject({
      code: "not_participant",
    });
  });

  it("is handed on only by who may, and ends with the right of that one", async () => {
    await using project = await openTeam();
    const toCarol = { agent: "carol", tools: ["rule_add"] };
    expect((await callRefused(project, bob, grantTools, toCarol)).message).toBe("bob may not hand on rule_add.");
    await callOk(project, person, grantTools, { agent: "bob@review", tools: ["rule_add"] });
    expect((await callRefused(project, bob, grantTools, toCarol)).message).toBe("bob may not hand on rule_add.");
    await callOk(project, person, grantTools, { agent: "bob@review", tools: ["rule_add"], handOn: true });
    await callOk(project, bob, grantTools, toCarol);
    expect(await callRefused(project, bob, grantTools, { ...toCarol, agent: "bob" })).toMatchObject({
      code: "forbidden",
    });
    const ofOthers = { agent: "bob", tools: ["rule_add"] };
    expect(await callRefused(project, agentIn(REVIEW, "carol"), revokeTools, ofOthers)).toMatchObject({
      code: "forbidden",
    });
    const revoked = await callOk(project, person, revokeTools, { agent: "bob@review", tools: ["rule_add"] });
    expect(revoked).toMatchObject({ grants: [], also: ["carol"] });
    expect(await held(project)).toEqual([]);
  });

  it("holds in the direct messages of an agent, until the agent is deleted", async () => {
    await using project = await openTeam({ files: agentFile("zoe") });
    await callOk(project, person, grantTools, { agent: "zoe", tools: ["soul_suggest"] });
    expect((await callOk(project, person, listGrants, { target: "zoe" })).grants).toMatchObject([
      { tool: "soul_suggest" },
    ]);
    expect(project.woken).toEqual([]);
    expect(
      (await callRefused(project, agentIn("zoe", "zoe"), grantTools, { agent: "bob", tools: ["soul_suggest"] })).code,
    ).toBe("forbidden");
    await callOk(project, person, deleteAgent, { name: "zoe" });
    expect(await project.store.read((store) => store.grants.inSpace("zoe"))).toEqual([]);
  });

  it("is refused in a workspace that is closed", async () => {
    await using project = await openTeam();
    await callOk(project, person, closeWorkspace, { target: "@review" });
    expect(await callRefused(project, person, grantTools, { agent: "bob@review", tools: ["rule_add"] })).toMatchObject({
      code: "not_running",
    });
  });

  it("leads to what the messages before it say, whatever was tried [grants.deterministic]", async () => {
    await using project = await openTeam();
    const random = seededRandom(7);
    const pick = <T>(from: readonly [T, ...T[]]): T => from[Math.floor(random() * from.length)] ?? from[0];
    for (let tries = 0; tries < 120; tries += 1) {
      const name = pick(["alice", "bob", "carol"]);
      const caller: Caller = pick([person, agentIn(REVIEW, "alice"), agentIn(REVIEW, "bob")]);
      const agent = caller.kind === "agent" ? name : `${name}@review`;
      const tools = [pick(["rule_add", "rule_list", "soul_suggest"])];
      if (random() < 0.6) await project.system.propose(caller, grantTools, { agent, tools, handOn: random() < 0.5 });
      else await project.system.propose(caller, revokeTools, { agent, tools });
      expect(await held(project)).toEqual(grantsAfter(await page(project)));
    }
    expect((await page(project)).length).toBeGreaterThan(20);
  });
});
