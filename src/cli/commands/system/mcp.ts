import { connectionOpener } from "../../../client/connect.ts";
import { bridgeMcp } from "../../../client/mcp/mcp-bridge.ts";
import { lineOf, readLines } from "../../../client/mcp/mcp-lines.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { defineCommand } from "../../command.ts";

export const mcp = defineCommand({
  about:
    "Speaks MCP on standard input and output for programs that start their MCP servers themselves, such as Claude Code, " +
    "Codex and OpenCode. With AGENT_WORKER_URL and AGENT_WORKER_TOKEN it speaks for a run, otherwise for you.\n" +
    "The guide: agent-worker help topics mcp",
  examples: ["agent-worker mcp", "claude mcp add agent-worker -- agent-worker mcp"],

  async run({ terminal, projectDir }) {
    const { env } = terminal;
    const forRun = (env["AGENT_WORKER_TOKEN"] ?? "") !== "";
    // A run token belongs to one project; naming one is refused.
    const project = forRun ? {} : { projectDir: projectDir() };
    await bridgeMcp({
      ...project,
      open: connectionOpener({ ...project, env }),
      lines: readLines(process.stdin),
      write: (message) => terminal.printContent(lineOf(message)),
      clock: systemClock,
    });
    return EXIT.ok;
  },
});
