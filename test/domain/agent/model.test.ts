import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lacksModel } from "../../../src/domain/agent/engines.ts";
import { parseModel } from "../../../src/domain/agent/model.ts";
import { runs } from "../../property.ts";
import { refused, value } from "../../support/result.ts";

describe("parseModel", () => {
  it.each([
    ["anthropic/claude-sonnet-4-5", { provider: "anthropic", model: "claude-sonnet-4-5" }],
    ["anthropic:claude-sonnet-4-5", { provider: "anthropic", model: "claude-sonnet-4-5" }],
    ["openrouter/anthropic/claude-3.5:free", { provider: "openrouter", model: "anthropic/claude-3.5:free" }],
    ["openrouter:anthropic/claude", { provider: "openrouter", model: "anthropic/claude" }],
    ["ollama:llama3:8b", { provider: "ollama", model: "llama3:8b" }],
    ["sonnet", { model: "sonnet" }],
    [" gpt-5.1-codex ", { model: "gpt-5.1-codex" }],
    ["auto", { model: "auto" }],
  ])("reads %j [agent.model-forms]", (text, expected) => {
    expect(value(parseModel(text))).toEqual(expected);
  });

  it.each(["", "  ", "/claude", "anthropic/", "anthropic:", ":", "a b/c", "anthropic/claude sonnet", "../x"])(
    "refuses %j",
    (text) => {
      expect(refused(parseModel(text))).toMatchObject({
        code: "invalid",
        hint: expect.stringContaining("provider/model"),
      });
    },
  );

  it("reads a provider and any model after it", () => {
    const word = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,10}$/);
    const model = fc.stringMatching(/^[a-z0-9._/:-]{1,20}$/);
    fc.assert(
      fc.property(word, model, (provider, name) => {
        expect(value(parseModel(`${provider}/${name}`))).toEqual({ provider, model: name });
        expect(value(parseModel(provider))).toEqual({ model: provider });
      }),
      runs(200),
    );
  });
});

describe("the need of a model", () => {
  it("is the sdk engine's only", () => {
    expect(lacksModel({ backend: "sdk" })).toBe(true);
    for (const engine of ["claude", "codex", "cursor", "opencode", "acp", "mock"] as const) {
      expect(lacksModel({ backend: engine })).toBe(false);
    }
  });

  it("is met by a model or by auto, and the default engine has the need", () => {
    expect(lacksModel({})).toBe(true);
    expect(lacksModel({ backend: "sdk", model: " " })).toBe(true);
    expect(lacksModel({ backend: "sdk", model: "auto" })).toBe(false);
    expect(lacksModel({ model: "anthropic/claude-sonnet-4-5" })).toBe(false);
  });
});
