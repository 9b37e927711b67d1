import { fileURLToPath } from "node:url";
import { ENGINE_NAMES, type EngineName } from "../domain/agent/engines.ts";
import { loadEngine } from "../engines/load-engine.ts";
import type { EngineParts } from "../engines/shared/engine-module.ts";
import { pooledEngine } from "../engines/shared/pooled-engine.ts";
import { projectMockScripts } from "../files/definitions/mock-script.ts";
import type { Engine } from "../ports/engine.ts";
import type { ToolEndpoint } from "../ports/tools.ts";

/** Every engine an agent may name as its `backend`. The code of each is loaded when the first agent runs on it. */
export function builtInEngines({
  projectDir,
  ...options
}: Omit<EngineParts, "scripts" | "bridge"> & { readonly projectDir: string }): ReadonlyMap<EngineName, Engine> {
  const parts: EngineParts = { ...options, scripts: projectMockScripts(projectDir), bridge };
  const load = async (name: EngineName) => {
    const { maxSessions, create } = await loadEngine(name);
    return { maxSessions, engine: create(parts) };
  };
  return new Map(ENGINE_NAMES.map((name) => [name, pooledEngine(name, () => load(name), options.clock)]));
}

/** Returns a command that forwards MCP requests to the daemon, for engines that can only start MCP servers. */
function bridge({ url, token }: ToolEndpoint) {
  const launcher = fileURLToPath(new URL("../../bin/agent-worker.js", import.meta.url));
  return {
    command: process.execPath,
    args: [launcher, "mcp"],
    env: { AGENT_WORKER_URL: new URL(url).origin, AGENT_WORKER_TOKEN: token },
  };
}
