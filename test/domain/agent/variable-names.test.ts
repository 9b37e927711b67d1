import { describe, expect, it } from "vitest";
import { checkVariable } from "../../../src/domain/agent/variable-names.ts";

describe("a variable that a definition sets", () => {
  it.each([
    "NODE_OPTIONS",
    "node_options",
    "LD_PRELOAD",
    "http_proxy",
    "ALL_PROXY",
    "AWS_CA_BUNDLE",
    "SSL_CERT_FILE",
    "OPENAI_BASE_URL",
    "ANTHROPIC_CUSTOM_HEADERS",
    "PYTHONHOME",
    "GIT_EXTERNAL_DIFF",
    "JAVA_TOOL_OPTIONS",
    "CODEX_HOME",
    "CLAUDE_CODE_SHELL_PREFIX",
    "GNUMAKEFLAGS",
    "SOME_OPTS",
    "SOME_COMMAND",
    "SOME_PLUGIN_PATH",
    "SOME_HOST",
    "Path",
    "a-b",
    "",
    "A\nexport B",
  ])("is not %j [child.environment]", (name) => {
    expect(checkVariable(name, "x")).toMatchObject({ ok: false, error: { code: "invalid" } });
  });

  it.each([
    "NODE_ENV",
    "GITHUB_TOKEN",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "MY_CACHE",
    "AWS_REGION",
    "LANG",
    "ENVIRONMENT",
    "DATABASE_NAME",
    "DATABASE_URL",
    "DB_HOST",
    "DB_PATH",
    "LOG_LEVEL",
    "APP_PORT",
    "PORT",
    "FEATURE_X",
    "FEATURE_FLAGS",
    "TEAM_NAME",
    "TZ",
    "SRC",
    "AWS_PROFILE",
    "NPM_TOKEN",
    "VAULT_TOKEN",
    "PGDATABASE",
    "OPENAI_API_KEY",
  ])("may be %s", (name) => {
    expect(checkVariable(name, "x")).toEqual({ ok: true, value: undefined });
  });

  it("may have the value that the person gave the same variable, and no other", () => {
    expect(checkVariable("HTTPS_PROXY", "$HTTPS_PROXY").ok).toBe(true);
    expect(checkVariable("HTTPS_PROXY", "${{ env.HTTPS_PROXY }}").ok).toBe(true);
    expect(checkVariable("HTTPS_PROXY", "$MINE").ok).toBe(false);
    expect(checkVariable("PATH", "./bin:$PATH").ok).toBe(false);
    expect(checkVariable("PATH", "$path").ok).toBe(false);
  });
});
