import { describe, expect, it } from "vitest";
import { createCliEngine } from "../../src/engines/cli/cli-engine.ts";
import { codexDialect } from "../../src/engines/cli/codex/codex-dialect.ts";
import { CLIS, realCliCases, type RealCli } from "../support/engine/real-cli.ts";

const codex: RealCli = {
  create: (options) => createCliEngine(codexDialect, options),
  agent: (url) => ({
    name: "alice",
    prompt: { system: "unused" },
    backend: "codex",
    model: "openai/gpt-5.2",
    provider: { name: "fake", baseUrl: `${url}/v1`, apiKeyEnv: "TEST_KEY" },
  }),
  call: (tool, args) => ({ name: tool, namespace: "mcp__agent_worker", args }),
  program: "shell_environment_policy",
  userFiles: { ".codex/config.toml": 'model_reasoning_effort = "low"\n', ".codex/AGENTS.md": "Be kind." },
};

describe.skipIf(CLIS === undefined)("the real Codex [engine.codex]", () => {
  it.each(realCliCases.map((one) => [one.name, one] as const))("%s", async (_name, { run }) => {
    expect.hasAssertions();
    await run(codex);
  });
});
