import { describe, expect, it } from "vitest";
import { hueOf } from "../../../web/src/text/agent-colour.ts";
import { costText, runCostText, sizeText, tokenText } from "../../../web/src/text/figures.ts";
import { complete, completionAt } from "../../../web/src/text/mention-completion.ts";
import { mentionParts } from "../../../web/src/text/mention-parts.ts";
import { spaceName } from "../../../web/src/text/space-name.ts";
import { duration } from "../../../web/src/text/time.ts";
import { visibleText } from "../../../web/src/text/visible-text.ts";

describe("text of others", () => {
  it("shows what would steer or deceive, and leaves the rest alone [ui.hostile-text]", () => {
    expect(visibleText("a\u001b[31mb\r\nc\td")).toBe("a\\u{1b}[31mb\nc\td");
    expect(visibleText("\u202eabc\u2066 x\u200by \u{e0041}")).toBe("\\u{202e}abc\\u{2066} x\\u{200b}y \\u{e0041}");
    expect(visibleText("\u2028\u0000\u0085\r")).toBe("\\u{2028}\\u{0}\\u{85}\\u{d}");
    const fine = "naïve 👩‍💻 नमस्ते עברית 日本";
    expect(visibleText(fine)).toBe(fine);
  });

  it("marks the mentions the daemon has read, and nothing that only looks like one", () => {
    expect(mentionParts("@bob, tell @carol: a@bob.c @all", ["bob"])).toEqual([
      { text: "@bob", mention: "bob" },
      { text: ", tell @carol: a@bob.c ", mention: undefined },
      { text: "@all", mention: "all" },
    ]);
    expect(mentionParts("@bob", [])).toEqual([{ text: "@bob", mention: undefined }]);
    expect(mentionParts("for @user", [])).toEqual([
      { text: "for ", mention: undefined },
      { text: "@user", mention: "user" },
    ]);
  });

  it("has the same colour for the same name", () => {
    expect(hueOf("alice")).toBe(hueOf("alice"));
    expect(new Set(["alice", "bob", "carol", "dave", "erin"].map(hueOf)).size).toBeGreaterThan(2);
  });
});

describe("completing a mention", () => {
  const names = ["all", "alice", "bob", "malik"];

  it("offers who fits what was typed before the caret, beginnings first", () => {
    expect(completionAt("hi @al", 6, names)?.names).toEqual(["all", "alice", "malik"]);
    expect(completionAt("hi @", 4, names)?.names).toEqual(names);
    expect(completionAt("hi @al there", 6, names)?.from).toBe(3);
    for (const text of ["hi", "a@al", "@alice ", "@zoe", "@@al"]) {
      expect(completionAt(text, text.length, names), text).toBeUndefined();
    }
  });

  it("writes the name with one space behind it", () => {
    const found = completionAt("hi @al", 6, names);
    if (found === undefined) throw new Error("nothing is offered");
    expect(complete("hi @al", 6, found, "alice")).toEqual({ text: "hi @alice ", caret: 10 });
    expect(complete("hi @al there", 6, found, "bob")).toEqual({ text: "hi @bob there", caret: 7 });
  });
});

describe("figures", () => {
  it("never show what is not known as nothing", () => {
    expect(costText({ basis: "unknown", usd: null, knownUsd: 0, unknownSteps: 1 })).toBe("unknown");
    expect(costText({ basis: "unknown", usd: null, knownUsd: 0.5, unknownSteps: 1 })).toBe("at least $0.50");
    expect(costText({ basis: "estimated", usd: 0.0123, knownUsd: 0.0123, unknownSteps: 0 })).toBe("$0.0123 estimated");
    const free = { basis: "reported", usd: 0, knownUsd: 0, unknownSteps: 0 } as const;
    expect(runCostText({ steps: 0, cost: free })).toBe("unknown");
    expect(runCostText({ steps: 1, cost: free })).toBe("$0.00");
    const tokens = { total: 0, cachedInput: null, cacheWrite: null, reasoning: null, unknownSteps: 1 };
    expect(tokenText({ ...tokens, input: null, output: null })).toBe("unknown");
    expect(tokenText({ ...tokens, input: 1200, output: null })).toBe("1,200 in, unknown out");
  });

  it("are short", () => {
    expect([12, 2_000, 65_000, 4_000_000, 200_000_000].map(duration)).toEqual([
      "12 ms",
      "2.0 s",
      "1 min 5 s",
      "1 h 6 min",
      "2 days",
    ]);
    expect([10, 2_048, 3_000_000].map(sizeText)).toEqual(["10 B", "2.0 KB", "2.9 MB"]);
    expect([spaceName("@review:main"), spaceName("@review:pr-1"), spaceName("alice")]).toEqual([
      "@review",
      "@review:pr-1",
      "alice",
    ]);
  });
});
