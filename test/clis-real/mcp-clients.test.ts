import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { AgentDefinition } from "../../src/domain/agent/definition.ts";
import { claudeDialect } from "../../src/engines/cli/claude/claude-dialect.ts";
import { createCliEngine } from "../../src/engines/cli/cli-engine.ts";
import type { CliEngineOptions } from "../../src/engines/cli/cli-engine.ts";
import { codexDialect } from "../../src/engines/cli/codex/codex-dialect.ts";
import { opencodeDialect } from "../../src/engines/cli/opencode/opencode-dialect.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { silentLog } from "../../src/testing/silent-log.ts";
import type { Engine } from "../../src/ports/engine.ts";
import { endOf, openSession, stepOf } from "../../src/testing/engine-steps.ts";
import { recordingTools } from "../../src/testing/recording-tools.ts";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { OFFLINE } from "../support/daemon/loopback-only.ts";
import { openMcpRig, REVIEW } from "../support/daemon/mcp-rig.ts";
import type { FakeScript, FakeToolCall } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { CLIS } from "../support/engine/real-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Real command lines as clients of the real `/mcp`: what a model asks through them arrives, as the right caller. */
interface Client {
  readonly create: (options: CliEngineOptions) => Engine;
  readonly agent: (url: string) => Pick<AgentDefinition, "backend" | "model" | "provider">;
  readonly call: (tool: string, args: unknown) => FakeToolCall;
}

const CLIENTS: Readonly<Record<string, Client>> = {
  "Claude Code": {
    create: (options) => createCliEngine(claudeDialect, options),
    agent: (baseUrl) => ({
      backend: "claude",
      model: "anthropic/claude-sonnet-5-5",
      provider: { name: "anthropic", baseUrl, apiKeyEnv: "TEST_KEY" },
    }),
    call: (tool, args) => ({ name: `mcp__agent-worker__${tool}`, args }),
  },
  Codex: {
    create: (options) => createCliEngine(codexDialect, options),
    agent: (url) => ({
      backend: "codex",
      model: "openai/gpt-5.2",
      provider: { name: "fake", baseUrl: `${url}/v1`, apiKeyEnv: "TEST_KEY" },
    }),
    call: (tool, args) => ({ name: tool, namespace: "mcp__agent_worker", args }),
  },
  OpenCode: {
    create: (options) => createCliEngine(opencodeDialect, options),
    agent: (url) => ({
      backend: "opencode",
      model: "fake-1",
      provider: { name: "loopback", baseUrl: `${url}/v1`, apiKeyEnv: "TEST_KEY" },
    }),
    call: (tool, args) => ({ name: `agent-worker_${tool}`, args }),
  },
};

/** A model that makes these calls one after another, and is done. What is asked without the tools is small talk. */
function model(calls: readonly FakeToolCall[], knows: string): FakeScript {
  let made = 0;
  return ({ tools, body }) => {
    if (!tools.some(({ name }) => name.endsWith(knows)) && !JSON.stringify(body).includes(knows)) return { text: "ok" };
    const next = calls[made];
    made += 1;
    return next === undefined ? { text: "All done." } : { toolCalls: [next] };
  };
}

const PATH = `${join(CLIS ?? "", "node_modules/.bin")}:${process.env["PATH"] ?? ""}`;
const KEY = "sk-test-0123456789abcdef";

describe.skipIf(CLIS === undefined)(
  "[mcp.real-clients] real command lines connect and call tools",
  { timeout: 120_000 },
  () => {
    test.each(Object.entries(CLIENTS))("%s with the token of a run", async (_name, { create, agent, call }) => {
      await using rig = await openMcpRig();
      using door = await rig.openFor("alice");
      await rig.project.send(REVIEW, "@alice what is the sign? It is ZEBRA-QUARTZ.");
      await using server = await startFakeModelServer(
        model([call("my_inbox", {}), call("channel_send", { message: "@bob I have seen it" })], "my_inbox"),
      );
      using folder = temporaryFolder();
      const env = { ...OFFLINE, PATH, HOME: folder.path, TEST_KEY: KEY };
      await using engine = create({ clock: systemClock, log: silentLog, env });
      const definition = { name: "alice", prompt: { system: "Work." }, ...agent(server.url) };
      const started = { engine, agent: definition, cwd: folder.path };
      const endpoint = { url: rig.url, token: door.token };
      await using session = await openSession(started, recordingTools(), { endpoint });
      expect(endOf(await stepOf(session, 1, "Look into your inbox.")).text).toBe("All done.");

      expect(JSON.stringify(server.requests.map(({ messages }) => messages))).toContain("ZEBRA-QUARTZ");
      expect(await rig.project.said(REVIEW)).toContain("alice: @bob I have seen it");
    });

    test("Claude Code through `agent-worker mcp`, as a person", async () => {
      await using daemon = await startTestDaemon({
        files: { ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: Help. }\n" },
      });
      const { call } = CLIENTS["Claude Code"] ?? {};
      if (call === undefined) throw new Error("no client");
      await using server = await startFakeModelServer(
        model([call("agent_list", {}), call("send", { to: "alice", message: "hello from Claude" })], "agent_list"),
      );
      using folder = temporaryFolder();
      const config = folder.in("mcp.json");
      const launcher = join(import.meta.dirname, "../../bin/agent-worker.js");
      const bridge = {
        command: process.execPath,
        args: [launcher, "mcp", "--project", daemon.project],
        env: daemon.env,
      };
      writeFileSync(config, JSON.stringify({ mcpServers: { "agent-worker": bridge } }));
      const args = ["-p", "--mcp-config", config, "--strict-mcp-config", "--allowedTools", "mcp__agent-worker"];
      const child = spawn(join(CLIS ?? "", "node_modules/.bin/claude"), args, {
        cwd: folder.path,
        env: { ...OFFLINE, PATH, HOME: folder.path, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY },
        stdio: ["pipe", "pipe", "pipe"],
      });
      child.stdin.end("Say hello to alice.");
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      expect(`${out}${err}`).toContain("All done.");
      const page = await daemon.client.call("peek-channel", { target: "alice" });
      expect(page).toMatchObject({ ok: true });
      expect(JSON.stringify(page)).toContain("hello from Claude");
    });
  },
);
