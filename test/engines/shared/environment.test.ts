import { describe, expect, it } from "vitest";
import { expandReferences } from "../../../src/domain/agent/variable-references.ts";
import { workerEnvironment } from "../../../src/engines/shared/environment.ts";

describe("workerEnvironment", () => {
  it("lets through what a program needs to run, and nothing else [engine.env-allow-list]", () => {
    const env = {
      PATH: "/bin",
      HOME: "/home/a",
      LANG: "C",
      TZ: "UTC",
      NODE_OPTIONS: "--inspect",
      OPENAI_API_KEY: "k",
      CLAUDECODE: "1",
    };
    expect(workerEnvironment(env)).toEqual({ PATH: "/bin", HOME: "/home/a", LANG: "C", TZ: "UTC" });
  });

  it("makes Node obey a proxy", () => {
    expect(workerEnvironment({ https_proxy: "http://p:1" })).toEqual({
      https_proxy: "http://p:1",
      NODE_USE_ENV_PROXY: "1",
    });
  });
});

describe("expandReferences", () => {
  const env = { TOKEN: "t0k", TRICK: "${TOKEN}" };

  it.each([
    ["$TOKEN", "t0k"],
    ["${TOKEN}", "t0k"],
    ["${{ env.TOKEN }}", "t0k"],
    ["Bearer $TOKEN", "Bearer t0k"],
    ["a${TOKEN}b", "at0kb"],
    ["pa$$word$1", "pa$$word$1"],
    ["$TRICK", "${TOKEN}"],
    ["$(id) `id`", "$(id) `id`"],
  ])("%s becomes %s, once and as data", (text, expected) => {
    expect(expandReferences({ value: text }, env)).toEqual({ ok: true, value: { value: expected } });
  });

  it("refuses a variable that is not set", () => {
    expect(expandReferences({ value: "$NOPE" }, env)).toMatchObject({
      ok: false,
      error: { hint: "Set NOPE and try again." },
    });
  });
});
