import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createClaudeEngine } from "../../src/engines/claude/claude-engine.ts";
import { always, CLIS, realCliCases, startRealCli, type RealCli } from "../support/real-cli.ts";

const claude: RealCli = {
  create: createClaudeEngine,
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
});
