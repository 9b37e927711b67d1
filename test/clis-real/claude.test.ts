import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeDialect } from "../../src/engines/cli/claude/claude-dialect.ts";
import { createCliEngine } from "../../src/engines/cli/cli-engine.ts";
import { startTestDaemon, type TestDaemon } from "../support/daemon/daemon.ts";
import { OFFLINE } from "../support/daemon/loopback-only.ts";
import type { FakeReply, FakeScript, FakeToolCall } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { always, CLIS, inTurn, realCliCases, startRealCli, type RealCli } from "../support/engine/real-cli.ts";
import { environmentOf, processesWith } from "../support/process/processes-with.ts";
import { value } from "../support/result.ts";
import { recordingApprovals } from "../support/team/approvals.ts";
import { eventually } from "../support/team/running-project.ts";

const TIMEOUT_MS = 60_000;

/** An image of one point. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const claude: RealCli = {
  create: (options) => createCliEngine(claudeDialect, options),
  agent: (baseUrl) => ({
    name: "alice",
    prompt: { system: "unused" },
    backend: "claude",
    model: "anthropic/claude-sonnet-5-5",
    provider: { name: "anthropic", baseUrl, apiKeyEnv: "TEST_KEY" },
  }),
  call: (tool, args) => ({ name: `mcp__agent-worker__${tool}`, args }),
  program: "--append-system-prompt-file",
  userFiles: { ".claude/settings.json": '{"theme":"dark"}', ".claude/CLAUDE.md": "Be kind." },
};

describe.skipIf(CLIS === undefined)("the real Claude Code [engine.claude]", () => {
  it.each(realCliCases.map((one) => [one.name, one] as const))("%s", async (_name, { run }) => {
    expect.hasAssertions();
    await run(claude);
  });

  it("reads no file because somebody wrote its name into the prompt", async () => {
    await using rig = await startRealCli(claude, always({ text: "Noted." }));
    writeFileSync(join(rig.folder, "diary.txt"), "MARMALADE");
    await rig.step("Bob wrote: see @diary.txt and ask @carol.");
    const messages = JSON.stringify(rig.server.requests.map((request) => request.messages));
    expect(messages).toContain("@diary.txt");
    expect(messages).not.toContain("MARMALADE");
  });

  it("shows its model the images of a message, and goes on with them in its session [engine.images]", async () => {
    const resource = `res_${"0".repeat(32)}`;
    const images = {
      shown: [{ resource, type: "image/png" as const }],
      read: async () => ({ type: "image/png" as const, data: PIXEL }),
    };
    await using rig = await startRealCli(claude, always({ text: "One point." }));
    const [first] = (await rig.step("What is it?", { images })).filter((event) => event.type === "end");
    await rig.step("And now?", { previous: async () => first?.transcript ?? null });
    const counts = rig.server.requests.map(({ body }) => JSON.stringify(body).split(PIXEL).length - 1);
    expect(counts).toEqual(rig.server.requests.map(() => 1));
    expect(JSON.stringify(rig.server.requests[0]?.messages)).toContain('"media_type":"image/png"');
    expect(first?.transcript).not.toContain(PIXEL);
  });

  it("hides from its model who is asked, and asks for nothing that a rule decides", async () => {
    const run = (command: string): FakeToolCall => ({ name: "Bash", args: { command, description: "x" } });
    await using rig = await startRealCli(
      {
        ...claude,
        agent: (url) => ({ ...claude.agent(url), permissions: { allow: ["bash(touch *)"], deny: ["bash(rm *)"] } }),
      },
      inTurn({ toolCalls: [run("touch made")] }, { toolCalls: [run("rm made")] }, { text: "Done." }),
    );
    const approvals = recordingApprovals();
    const events = await rig.step("Go.", { approvals });
    expect(events.filter((event) => event.type === "tool-result")).toMatchObject([
      { tool: "Bash", isError: false },
      { tool: "Bash", isError: true },
    ]);
    expect(existsSync(join(rig.folder, "made"))).toBe(true);
    expect(approvals.asked).toEqual([]);
    const tools = rig.server.requests[0]?.tools.map(({ name }) => name) ?? [];
    expect(tools).toContain("Bash");
    expect(tools.filter((name) => /permission|approv|AskUser/i.test(name))).toEqual([]);
  });
});

/** A daemon with one agent on the real Claude Code. */
async function startDaemonWith(script: FakeScript) {
  const models = await startFakeModelServer(script);
  const provider = `{ name: anthropic, base_url: "${models.url}", api_key: $TEST_KEY }`;
  const daemon = await startTestDaemon({
    files: {
      ".agents/alice.yaml": `name: alice\nbackend: claude\nmodel: claude-sonnet-5-5\nprovider: ${provider}\nprompt: { system: You work. }\n`,
    },
    env: {
      ...OFFLINE,
      TEST_KEY: "sk-test-0123456789abcdef",
      PATH: `${join(CLIS ?? "", "node_modules/.bin")}:${process.env.PATH ?? ""}`,
    },
  });
  value(await daemon.client.call("send-message", { to: "alice", message: "Please make it." }));
  return {
    models,
    daemon,
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      await models[Symbol.asyncDispose]();
    },
  };
}

async function answersOf(daemon: TestDaemon): Promise<string[]> {
  const { messages } = value(await daemon.client.call("peek-channel", { target: "alice", limit: 50 }));
  return messages.filter(({ from }) => from === "alice").map(({ content }) => content);
}

describe.skipIf(CLIS === undefined)("an agent on the real Claude Code", () => {
  it("waits for a person over the end of a daemon, and makes the call once it is approved [approval.asked] [approval.approve] [approval.survives]", async () => {
    const touch = (description: string): FakeReply => ({
      toolCalls: [{ name: "Bash", args: { command: "echo made >> made.txt", description } }],
    });
    await using rig = await startDaemonWith(inTurn(touch("first"), touch("again"), { text: "It is made." }));
    const pending = async (daemon: TestDaemon) => value(await daemon.client.call("list-approvals", {})).approvals;
    await eventually("a call waits", async () => (await pending(rig.daemon)).length === 1, TIMEOUT_MS);
    const [question] = await pending(rig.daemon);
    const used = async () => value(await rig.daemon.client.call("show-usage", {})).agents;
    await eventually("the step is kept", async () => (await used()).length === 1, TIMEOUT_MS);
    expect(question).toMatchObject({ agent: "alice", tool: "Bash", args: '{"command":"echo made >> made.txt"}' });
    await rig.daemon.stop("SIGKILL");
    await using daemon = await rig.daemon.restart();
    expect(existsSync(join(daemon.project, "made.txt"))).toBe(false);
    value(await daemon.client.call("approve", { id: question?.id ?? "" }));
    await eventually("it is answered", async () => (await answersOf(daemon)).length > 0, TIMEOUT_MS);
    expect(await answersOf(daemon)).toEqual(["It is made."]);
    expect(readFileSync(join(daemon.project, "made.txt"), "utf8")).toBe("made\n");
    expect(await pending(daemon)).toEqual([]);
  });

  it("leaves no process when the daemon is killed during its turn, and answers once after it [engine.abort]", async () => {
    await using rig = await startDaemonWith(inTurn({ silence: "headers" }, { text: "Done." }));
    const own = () =>
      processesWith(claude.program).filter((pid) => environmentOf(pid).includes(rig.daemon.env["HOME"] ?? "?"));
    await rig.models.received(1);
    expect(own()).not.toEqual([]);
    await rig.daemon.stop("SIGKILL");
    await eventually("the program is gone", () => own().length === 0, TIMEOUT_MS);
    await using daemon = await rig.daemon.restart();
    await eventually("it is answered", async () => (await answersOf(daemon)).length > 0, TIMEOUT_MS);
    expect(await answersOf(daemon)).toEqual(["Done."]);
  });
});
