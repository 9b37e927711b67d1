import { describe, expect, it } from "vitest";
import { readQuery } from "../../../src/domain/recall/query.ts";
import { termsOf } from "../../../src/domain/recall/terms.ts";

describe("terms", () => {
  it.each([
    ["deploy deployed deploys deploying deployment"],
    ["migrate migration migrations migrating"],
    ["decide decided decision"],
    ["write wrote written writing"],
    ["city cities"],
    ["review reviewer reviews reviewing"],
    ["call calls called calling"],
  ])("are the same for the forms of a word: %s", (forms) => {
    expect(new Set(termsOf(forms)).size).toBe(1);
  });

  it("leave out words that are in every text, and keep those that turn it round", () => {
    expect(termsOf("What is the name of it, and where was that?")).toEqual(["nam"]);
    expect(termsOf("never deploy without tests")).toHaveLength(4);
  });

  it("know neither case nor accents, and take texts without spaces in pairs", () => {
    expect(termsOf("CAFÉ")).toEqual(termsOf("cafe"));
    expect(termsOf("部署流程")).toEqual(["部署", "署流", "流程"]);
    expect(termsOf("ver部署1")).toEqual(["ver", "部署", "1"]);
  });

  it("stay bounded for a hostile text", () => {
    expect(termsOf("x".repeat(1_000_000)).join("").length).toBeLessThan(100);
    expect(
      readQuery("word ".repeat(1000) + Array.from({ length: 500 }, (_, i) => `w${i}`).join(" "), 0).terms.length,
    ).toBe(24);
  });
});
