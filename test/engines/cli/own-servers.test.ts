import { describe, expect, it } from "vitest";
import { claudeDialect } from "../../../src/engines/cli/claude/claude-dialect.ts";
import { codexDialect } from "../../../src/engines/cli/codex/codex-dialect.ts";
import { cursorDialect } from "../../../src/engines/cli/cursor/cursor-dialect.ts";
import { opencodeDialect } from "../../../src/engines/cli/opencode/opencode-dialect.ts";
import { TEAM_SERVER } from "../../../src/engines/shared/mcp-servers.ts";
import { cliTurn } from "../../support/engine/cli-turn.ts";

describe("the MCP servers of an agent on a command line", () => {
  it.each([claudeDialect, codexDialect, cursorDialect, opencodeDialect])(
    "$name is told of them, and of the team's under its own name [tool.mcp-servers]",
    (dialect) => {
      const mcpServers = {
        files: { command: "serve-files", args: ["--root", "docs"] },
        web: { url: "http://127.0.0.1:4001/mcp" },
      };
      const { args, env, files } = dialect.command(cliTurn({ mcpServers }));
      const told = JSON.stringify([args, env, files]).replaceAll("\\", "");
      for (const text of ["files", "serve-files", "--root", "web", "http://127.0.0.1:4001/mcp"]) {
        expect(told).toContain(text);
      }
      expect(told).toMatch(new RegExp(`${TEAM_SERVER}["=]`));
      expect(told).toContain("http://127.0.0.1:5099/mcp");
    },
  );
});
