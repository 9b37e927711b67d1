import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Soul } from "../../../src/domain/agent/definition.ts";
import { renderSoul } from "../../../src/domain/agent/soul.ts";
import { runs } from "../../property.ts";

describe("renderSoul", () => {
  it("shows the known traits first, then the others by name", () => {
    const soul: Soul = {
      zeal: 3,
      principles: ["Explain the why", "Suggest,\ndo not demand"],
      style: "thorough",
      humour: true,
      expertise: ["typescript", "testing"],
      role: "code-reviewer",
      languages: { spoken: ["de", "en"], written: "en" },
      rituals: [{ when: "morning", what: "read" }, "stretch"],
    };
    expect(renderSoul(soul)).toBe(
      [
        "Role: code-reviewer",
        "Expertise: typescript, testing",
        "Style: thorough",
        "Principles:",
        "- Explain the why",
        "- Suggest,",
        "  do not demand",
        "humour: true",
        "languages: spoken: de, en; written: en",
        "rituals:",
        "- what: read; when: morning",
        "- stretch",
        "zeal: 3",
      ].join("\n"),
    );
  });

  it.each<[string, Soul | undefined]>([
    ["none", undefined],
    ["no traits", {}],
    [
      "empty traits",
      { role: "", style: "  ", expertise: [], principles: ["", " "], extra: null, deep: { a: { b: [] } } },
    ],
  ])("says nothing for %s", (_, soul) => {
    expect(renderSoul(soul)).toBe("");
  });

  it("says even what is false or zero", () => {
    expect(renderSoul({ verbose: false, patience: 0 })).toBe("patience: 0\nverbose: false");
  });

  it("ends on a trait that contains itself", () => {
    const loop: unknown[] = [];
    loop.push(loop, "x");
    expect(renderSoul({ loop })).toContain("x");
  });

  it("does not depend on the order of the keys", () => {
    const trait = fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.integer(),
      fc.array(fc.string()),
      fc.dictionary(fc.string(), fc.string()),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), trait), (soul) => {
        const { role: _1, expertise: _2, style: _3, principles: _4, ...others } = soul;
        const reversed = Object.fromEntries(Object.entries(others).toReversed());
        expect(renderSoul(reversed)).toBe(renderSoul(others));
      }),
      runs(200),
    );
  });
});
