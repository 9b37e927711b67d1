import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import type { CliTurn } from "../../../src/engines/cli/cli-dialect.ts";

/** A turn as the base hands it to a dialect. */
export function cliTurn({
  agent,
  ...more
}: Partial<Omit<CliTurn, "agent">> & { agent?: Partial<AgentDefinition> } = {}): CliTurn {
  return {
    agent: { name: "alice", prompt: { system: "unused" }, ...agent },
    system: "You are Alice.",
    prompt: "Go.",
    images: [],
    endpoint: { url: "http://127.0.0.1:5099/mcp", token: "run-token-1" },
    mcpServers: {},
    provider: null,
    session: null,
    folder: "/turn",
    cwd: "/project",
    privateFolders: ["/project/.agents/bob"],
    env: {},
    ...more,
  };
}
