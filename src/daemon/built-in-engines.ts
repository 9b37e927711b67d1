import { fileURLToPath } from "node:url";
import type { EngineName } from "../domain/agent/definition.ts";
import { createMockEngine } from "../engines/mock/mock-engine.ts";
import { projectMockScripts } from "../files/definitions/mock-script.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type { Engine } from "../ports/engine.ts";
import type { ToolEndpoint } from "../ports/tools.ts";
import { pooledEngine } from "../engines/shared/pooled-engine.ts";

/** Each session is one process or more: a team of five hundred agents must not start five hundred. */
const MAX_SDK_SESSIONS = 16;
const MAX_CLI_SESSIONS = 8;

interface EngineParts {
  readonly projectDir: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns every engine an agent may name as its `backend`. The code of an engine is loaded when an agent first uses it. */
export function builtInEngines(parts: EngineParts): ReadonlyMap<EngineName, Engine> {
  const { clock, random, projectDir } = parts;
  const cli = (name: EngineName, make: () => Promise<Engine>): Engine => pooledEngine(name, MAX_CLI_SESSIONS, make);
  const engines = [
    createMockEngine({ clock, random, scripts: projectMockScripts(projectDir) }),
    pooledEngine("sdk", MAX_SDK_SESSIONS, async () =>
      (await import("../engines/sdk/sdk-engine.ts")).createSdkEngine(parts),
    ),
    cli("claude", async () => (await import("../engines/cli/claude/claude-engine.ts")).createClaudeEngine(parts)),
    cli("codex", async () => (await import("../engines/cli/codex/codex-engine.ts")).createCodexEngine(parts)),
    cli("opencode", async () =>
      (await import("../engines/cli/opencode/opencode-engine.ts")).createOpencodeEngine(parts),
    ),
    cli("cursor", async () => (await import("../engines/cli/cursor/cursor-engine.ts")).createCursorEngine(parts)),
    cli("acp", async () => (await import("../engines/acp/acp-engine.ts")).createAcpEngine({ ...parts, bridge })),
  ];
  return new Map(engines.map((engine) => [engine.name, engine]));
}

/** For agents that can start an MCP server but not connect to a URL: our own command forwards to the daemon. */
function bridge({ url, token }: ToolEndpoint) {
  const launcher = fileURLToPath(new URL("../../bin/agent-worker.js", import.meta.url));
  return {
    command: process.execPath,
    args: [launcher, "mcp"],
    env: { AGENT_WORKER_URL: new URL(url).origin, AGENT_WORKER_TOKEN: token },
  };
}
