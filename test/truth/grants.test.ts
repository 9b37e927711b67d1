import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";
import type { RecordedRequest } from "../support/engine/fake-model-server/script.ts";
import { gate } from "../support/gate.ts";
import { proposalFile } from "../support/team/own-proposals.ts";

const env = { FAKE_KEY: "no-key" };
const granted = gate();
const revoked = gate();
let model: FakeModelServer;
let daemon: CommandedDaemon;

const toolsOf = (request: RecordedRequest | undefined): readonly string[] =>
  (request?.tools ?? []).map(({ name }) => name);

beforeAll(async () => {
  model = await startFakeModelServer([
    { toolCalls: [{ name: "my_inbox", args: {} }], after: granted.passed },
    { toolCalls: [{ name: "take-duty", args: { n: 7 } }], after: revoked.passed },
    { text: "done" },
  ]);
  const agent = (name: string, tools: string): string =>
    [
      `name: ${name}`,
      "model: fake-model",
      `provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`,
      "prompt: { system: Answer. }",
      `tools: [${tools}]`,
      "",
    ].join("\n");
  daemon = await startCommandedDaemon({
    env,
    files: {
      ".agents/alice.yaml": agent("alice", "minimal"),
      ".agents/fay.yaml": agent("fay", "full"),
      ".agents/carl.yaml": agent("carl", "minimal") + "permissions: { deny: [take-duty] }\n",
      ".workflows/desk.yaml":
        "agents: { alice: alice, carl: carl, ina: { backend: mock, prompt: { system: Help. } } }\n",
      ".agents/proposals/duty.ts": proposalFile("take-duty", "return `duty ${n}`;"),
      ".agents/proposals/close.ts": proposalFile("close_shop", "return 1;").replace('"everyone"', '"person"'),
    },
  });
  await daemon.json(["start", "desk"]);
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

describe("a grant gives what it says", () => {
  it("gives an own proposal in the next step, also to an agent with few tools, and takes it back [own.grants]", async () => {
    expect(await daemon.run(["send", "@desk", "@alice begin"])).toMatchObject({ exit: 0 });
    await model.received(1);
    expect(await daemon.run(["grant", "alice@desk", "take-duty"])).toMatchObject({
      exit: 0,
      out: "By grants alice has now in @desk: take-duty\n",
    });
    expect((await daemon.run(["tool", "list", "alice@desk"])).out).toMatch(/take-duty +grant +Do take-duty\./);
    granted.open();
    await model.received(2);
    const [first, second] = model.requests;
    expect(toolsOf(first)).not.toContain("take-duty");
    expect(toolsOf(second)).toEqual([...toolsOf(first), "take-duty"]);
    revoked.open();
    await model.received(3);
    expect(JSON.stringify(model.requests[2]?.messages)).toContain("duty 7");
    expect(await daemon.run(["revoke", "alice@desk", "take-duty"])).toMatchObject({ exit: 0 });
    expect((await daemon.run(["tool", "list", "alice@desk"])).out).not.toContain("take-duty");
    const held = await daemon.json(["grant", "@desk", "--at", "2"]);
    expect(held).toMatchObject({ grants: [{ agent: "alice", tool: "take-duty" }] });
  });

  it("refuses what the receiver could never use, and says what works [grants.useful]", async () => {
    const refusal = async (...args: string[]) => {
      const { exit, err } = await daemon.run(["grant", ...args]);
      expect(exit, err).not.toBe(0);
      return err;
    };
    const direct = await refusal("alice", "space_open");
    expect(direct).toContain("alice could do nothing with space_open here: it is for workspaces");
    expect(direct).toContain("agent-worker grant alice@WORKFLOW space_open");
    expect(await refusal("alice", "memory_store", "--hand-on")).toContain("nobody in its direct messages");
    expect(await refusal("ina@desk", "memory_store")).toContain("there is no personal context");
    expect(await refusal("carl@desk", "take-duty")).toContain("The definition of carl denies take-duty");
    expect(await refusal("alice@desk", "close_shop")).toContain("alice could not use close_shop. Only a person may");
    expect(await refusal("alice@desk", "tke-duty")).toContain('Did you mean "take-duty"');
    expect((await daemon.run(["grant"])).out).toBe("Nothing is granted.\n");
  });

  it("offers nothing in direct messages that does nothing there, whatever the set of tools [tools.direct]", async () => {
    const { out } = await daemon.run(["tool", "list", "fay"]);
    expect(out).toMatch(/my_inbox +team/);
    expect(out).toMatch(/soul_suggest +team/);
    for (const tool of ["no_action", "space_open", "grant"]) expect(out).not.toMatch(new RegExp(`^\\s*${tool} `, "m"));
  });
});
