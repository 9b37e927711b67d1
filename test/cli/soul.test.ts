import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { eventually } from "../support/team/running-project.ts";
import { agentFile, TEAM } from "../support/team/team.ts";

const FILES = {
  ...TEAM,
  ...agentFile(
    "ada",
    "model: scripts/ada.yaml\ntools: [team, soul_suggest]\nsoul: { role: reviewer, principles: [Be kind] }\n",
  ),
  "scripts/ada.yaml": [
    "- steps:",
    "    - { call: { tool: soul_suggest, args: { observation: I explain trade-offs., change: { trait: principles, add: Explain trade-offs } } } }",
    "    - { call: { tool: soul_suggest, args: { observation: I lead., change: { trait: role, replace: boss } } } }",
    "    - { say: Suggested. }",
    "- repeat: true",
    "  steps: [{ say: Fine. }]",
    "",
  ].join("\n"),
};

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: FILES });
  await daemon.client.call("open-workspace", { workflow: "review" });
});
afterAll(() => daemon[Symbol.asyncDispose]());

async function tell(agent: string, message: string): Promise<void> {
  await daemon.client.call("send-message", { to: agent, message });
  await eventually(`${agent} is done`, async () => {
    const inbox = await daemon.client.call("read-inbox", { target: agent });
    return inbox.ok && inbox.value.deliveries.length === 0;
  });
}

interface Listed {
  readonly proposals: readonly { readonly id: string; readonly change: { readonly value: string } }[];
}

describe("agent-worker agent soul", () => {
  it("[soul.suggest] [soul.approve] [soul.history] [soul.rollback] [soul.baseline] shows, decides, remembers and goes back", async () => {
    const definition = readFileSync(join(daemon.project, ".agents/ada.yaml"), "utf8");
    expect(await daemon.run(["agent", "soul", "ada"])).toEqual({
      exit: 0,
      out: "ada, version 0\nrole: reviewer\nprinciples:\n  Be kind\n",
      err: "",
    });
    expect(await daemon.run(["agent", "soul", "ada", "history"])).toMatchObject({
      out: "ada has learned nothing yet.\n",
    });
    await tell("ada", "What did you learn?");
    expect((await daemon.run(["agent", "soul", "ada"])).out).toContain("2 proposals to decide");

    const { proposals } = (await daemon.json(["agent", "soul", "ada", "proposals"])) as Listed;
    const id = (value: string): string => proposals.find(({ change }) => change.value === value)?.id ?? "";
    const text = (await daemon.run(["agent", "soul", "ada", "proposals"])).out;
    expect(text).toMatch(
      /sol_\w+ {2}for ada, suggested by ada, significant\n {2}= role: boss\n {2}why: I lead\.\n {2}in: ada run_/,
    );

    expect(
      await daemon.run(["agent", "soul", "ada", "approve", id("Explain trade-offs"), "--reason", "She does."]),
    ).toEqual({
      exit: 0,
      out: "ada has version 1 of its soul now.\n",
      err: "",
    });
    expect(await daemon.run(["agent", "soul", "ada", "reject", id("boss")])).toMatchObject({ exit: 0 });
    expect((await daemon.run(["agent", "soul", "ada"])).out).toBe(
      "ada, version 1\nrole: reviewer\nprinciples:\n  Be kind\n  Explain trade-offs\nlearned, on top of the definition:\n  + principles: Explain trade-offs\n",
    );
    expect((await daemon.run(["agent", "info", "ada"])).out).toContain("Be kind; Explain trade-offs");
    const history = (await daemon.run(["agent", "soul", "ada", "history"])).out;
    expect(history).toMatch(
      /^version 1 {2}\S+Z {2}by user\n {2}\+ principles: Explain trade-offs\n {2}why: I explain trade-offs\. She does\.\n {2}evidence: run_\w+, msg_\w+\n$/,
    );
    expect(await daemon.contextFile(".agents/ada/soul.yaml")).toContain("- Explain trade-offs");
    expect((await daemon.run(["agent", "soul", "ada", "proposals", "--state", "rejected"])).out).toContain(
      "rejected by user",
    );

    expect((await daemon.run(["agent", "soul", "ada", "rollback", "0"])).out).toContain(
      "~ principles: Explain trade-offs",
    );
    expect(await daemon.json(["agent", "soul", "ada"])).toMatchObject({
      version: 2,
      soul: { principles: ["Be kind"] },
    });
    expect(readFileSync(join(daemon.project, ".agents/ada.yaml"), "utf8")).toBe(definition);
  });

  it("[soul.observe] looks now when asked", async () => {
    expect(await daemon.run(["agent", "soul", "bob", "observe"])).toMatchObject({
      exit: 0,
      out: "Nothing new was found.\n",
    });
    for (const text of ["Always test first.", "Always test it first.", "Please always test first."])
      await tell("bob", text);
    expect((await daemon.run(["agent", "soul", "bob", "observe"])).out).toMatch(
      /1 proposal:\nsol_\w+ {2}for bob, observed by the guard, small\n/,
    );
  });

  it.each([
    { args: ["nobody"], exit: 3, says: 'no agent called "nobody"' },
    { args: ["ada", "aprove"], exit: 2, says: "ACTION cannot be" },
    { args: ["ada", "approve"], exit: 2, says: "ID is missing" },
    { args: ["ada", "approve", "sol_none"], exit: 3, says: "no proposal" },
    { args: ["ada", "rollback", "x"], exit: 2, says: "whole number" },
    { args: ["ada", "rollback", "99"], exit: 3, says: "There is no version 99" },
  ])("says what is wrong: $args", async ({ args, exit, says }) => {
    expect(await daemon.run(["agent", "soul", ...args])).toMatchObject({
      exit,
      out: "",
      err: expect.stringContaining(says),
    });
  });
});

describe("agent-worker rule", () => {
  it("[proposal.data-defined] adds, lists and removes what a workspace does by itself", async () => {
    expect(await daemon.run(["rule", "list"])).toMatchObject({ exit: 0, out: "There are no rules.\n" });
    const say = "@carol bob said: ${{ message.text }}";
    const added = await daemon.json(["rule", "add", "@review", "tell-carol", "--from", "bob", "--say", say]);
    expect(added).toMatchObject({ space: "@review:main", when: { on: "message", from: "bob" }, author: "user" });
    await daemon.client.call("send-message", { to: "@review", message: "@bob hello" });
    await eventually("carol is called", async () => {
      const channel = await daemon.client.call("peek-channel", { target: "@review" });
      return (
        channel.ok &&
        channel.value.messages.some(
          ({ from, content }) => from === "rule:tell-carol" && content.startsWith("@carol bob said"),
        )
      );
    });
    const listed = (await daemon.run(["rule", "list", "@review"])).out;
    expect(listed).toMatch(
      /tell-carol in @review, by user, acted 1 time\n {2}when: message, from bob\n {2}then: send-message/,
    );
    const { id } = added as { id: string };
    expect(await daemon.run(["rule", "remove", id])).toMatchObject({ exit: 0, out: "Removed tell-carol.\n" });
    expect(await daemon.run(["rule", "remove", id])).toMatchObject({ exit: 3 });
  });

  it.each([
    { args: ["add", "@review", "x"], exit: 2, says: "one thing" },
    {
      args: ["add", "@review", "x", "--say", "hi", "--on", "ballot", "--from", "bob"],
      exit: 2,
      says: "--from does not go",
    },
    { args: ["add", "@review", "x", "--then", "create-ballot", "--data", "{"], exit: 2, says: "not JSON" },
    { args: ["add", "@review", "x", "--say", "${{ nothing }}"], exit: 2, says: "not defined" },
    { args: ["add", "@nowhere", "x", "--say", "hi"], exit: 3, says: "nowhere" },
  ])("says what is wrong: $args", async ({ args, exit, says }) => {
    expect(await daemon.run(["rule", ...args])).toMatchObject({ exit, out: "", err: expect.stringContaining(says) });
  });
});
