import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import { PROVIDERS } from "../../../src/domain/agent/providers.ts";
import { resolveModel } from "../../../src/engines/sdk/resolve-model.ts";

type Written = Pick<AgentDefinition, "model" | "provider" | "env">;

const keys = { ANTHROPIC_API_KEY: "ant-key", OPENAI_API_KEY: "oai-key", GROQ_API_KEY: "groq-key", OTHER: "other-key" };

function resolved(agent: Written, env: Record<string, string> = keys) {
  const result = resolveModel(agent, env);
  return result.ok ? result.value : `${result.error.message} ${result.error.hint ?? ""}`;
}

describe("resolveModel", () => {
  it("takes a key of the project's .env only where a definition names it [starts.env-file]", () => {
    const file = { FILE_KEY: "file-key", ANTHROPIC_API_KEY: "file-key", OPENAI_API_KEY: "file-key" };
    const env = { OPENAI_API_KEY: "oai-key" };
    const nameable = { ...file, ...env };
    const keyOf = (agent: Written) => {
      const result = resolveModel(agent, env, nameable);
      return result.ok ? result.value.apiKey : result.error.message;
    };
    const named = (apiKeyEnv: string) => ({ model: "claude-x", provider: { name: "anthropic", apiKeyEnv } });
    expect(keyOf(named("FILE_KEY"))).toBe("file-key");
    expect(keyOf(named("OPENAI_API_KEY"))).toBe("oai-key");
    expect(keyOf({ model: "anthropic/x", env: { ANTHROPIC_API_KEY: "$FILE_KEY" } })).toBe("file-key");
    expect(keyOf({ model: "anthropic/x" })).toContain("ANTHROPIC_API_KEY is not set");
  });

  it.each<[Written, object]>([
    [{ model: "anthropic/claude-x" }, { provider: "anthropic", model: "claude-x", apiKey: "ant-key", baseUrl: null }],
    [{ model: "openai:gpt-x" }, { provider: "openai", model: "gpt-x", apiKey: "oai-key" }],
    [{ model: "groq/openai/gpt-oss" }, { provider: "groq", model: "openai/gpt-oss", apiKey: "groq-key" }],
    [
      { model: "claude-x", provider: { name: "anthropic" } },
      { provider: "anthropic", model: "claude-x" },
    ],
    [{ model: "anthropic/claude-x", provider: { name: "anthropic" } }, { model: "claude-x" }],
    [
      { model: "openai/gpt-oss", provider: { name: "groq" } },
      { provider: "groq", model: "openai/gpt-oss" },
    ],
    [
      { model: "auto", provider: { name: "openai" } },
      { provider: "openai", model: "gpt-5.6" },
    ],
    [{ model: "auto" }, { provider: "anthropic", model: "claude-sonnet-5-5" }],
    [
      { model: "meta/llama", provider: { name: "openai-compatible", baseUrl: "http://localhost:1/v1" } },
      { provider: "openai-compatible", model: "meta/llama", apiKey: null, baseUrl: "http://localhost:1/v1" },
    ],
    [
      { model: "claude-x", provider: { name: "anthropic", baseUrl: "https://proxy.test/v1", apiKeyEnv: "OTHER" } },
      { apiKey: "other-key", baseUrl: "https://proxy.test/v1" },
    ],
    [{ model: "anthropic/claude-x", env: { ANTHROPIC_API_KEY: "$OTHER" } }, { apiKey: "other-key" }],
  ])("%j [engine.model-names]", (agent, expected) => {
    expect(resolved(agent)).toMatchObject(expected);
  });

  it("takes for auto the first provider with a key, in the order of the table [engine.model-names]", () => {
    const withKey = PROVIDERS.filter(({ keyVariables }) => keyVariables.length > 0);
    for (const row of withKey) {
      const [variable = ""] = row.keyVariables;
      expect(resolved({ model: "auto" }, { [variable]: "a-key" })).toMatchObject({
        provider: row.name,
        model: row.defaultModel,
      });
    }
    expect(resolved({ model: "auto" }, { XAI_API_KEY: "x", OPENAI_API_KEY: "o" })).toMatchObject({
      provider: "openai",
    });
  });

  it.each<[Written, string]>([
    [{ model: "auto" }, "set one of ANTHROPIC_API_KEY, OPENAI_API_KEY"],
    [{ model: "anthropic/claude-x" }, "ANTHROPIC_API_KEY is not set"],
    [{ model: "claude-x" }, "names no provider"],
    [{ model: "antropic/claude-x" }, "anthropic"],
    [{ model: "x", provider: { name: "openai-compatible" } }, "base_url"],
    [{ model: "openai/gpt-x", provider: { name: "anthropic" } }, '"provider" says anthropic'],
    [{ model: "claude-x", provider: { name: "anthropic", apiKeyEnv: "NOPE" } }, "NOPE is not set"],
    [{ model: "anthropic/claude-x", env: { A: "$MISSING" } }, "MISSING is not set"],
  ])("refuses %j and says what to do [engine.model-names]", (agent, words) => {
    expect(resolved(agent, {})).toContain(words);
  });

  it("never sends the usual key to an address from a project [engine.env-allow-list]", () => {
    const provider = { name: "anthropic", baseUrl: "https://evil.test/v1" };
    expect(resolved({ model: "claude-x", provider })).toContain("api_key: $ANTHROPIC_API_KEY");
    const smuggled = { model: "anthropic/claude-x", env: { ANTHROPIC_BASE_URL: "https://evil.test" } };
    expect(resolved(smuggled)).toContain("ANTHROPIC_BASE_URL");
    const compatible = { name: "openai-compatible", baseUrl: "https://evil.test/v1" };
    expect(resolved({ model: "x", provider: compatible })).toMatchObject({ apiKey: null });
  });

  it("honours an address from the person's own environment", () => {
    const env = { ...keys, ANTHROPIC_BASE_URL: "https://proxy.test", OPENAI_BASE_URL: "https://proxy.test/v1" };
    expect(resolved({ model: "anthropic/claude-x" }, env)).toMatchObject({ baseUrl: "https://proxy.test/v1" });
    expect(resolved({ model: "openai/gpt-x" }, env)).toMatchObject({ baseUrl: "https://proxy.test/v1" });
  });
});
