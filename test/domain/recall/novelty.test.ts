import { describe, expect, it } from "vitest";
import { checkNovelty } from "../../../src/domain/recall/novelty.ts";
import { termsOf } from "../../../src/domain/recall/terms.ts";

const known = (...texts: string[]) => texts.map((text) => ({ text, terms: termsOf(text) }));
const judge = (text: string, ...before: string[]) => checkNovelty(text, false, known(...before));

describe("[memory.gate] what is worth remembering", () => {
  it.each(["", "   ", "...", "👍"])("is not nothing: %j", (text) => {
    expect(judge(text)).toEqual({ kind: "empty" });
  });

  it.each(["ok", "Thanks a lot!", "Hello there", "Got it, will do.", "sounds good", "Berlin"])(
    "is not a pleasantry, nor a word without a sentence: %j",
    (text) => {
      expect(judge(text)).toEqual({ kind: "trivial" });
    },
  );

  it.each([
    ["The build needs Node 24.", "the build needs node 24"],
    ["Deploys go through the blue pipeline.", "Deploy goes through the blue pipelines"],
    ["Alice prefers short reviews with reasons.", "Alice prefers short reviews, with a reason!"],
  ])("is not what is known already: %j", (before, text) => {
    expect(judge(text, "Something about the harbour.", before)).toEqual({ kind: "repeat", of: 1 });
  });

  it.each([
    ["The port is 5099.", "The port is 5100."],
    ["Always deploy on Fridays.", "Never deploy on Fridays."],
    ["Alice reports to Bob.", "Bob reports to Alice."],
    ["Maria's birthday is in May.", "Tobias' birthday is in May."],
    ["The login service times out.", "The login service times out after 30 seconds when the cache is cold."],
  ])("is what only looks alike: %j", (before, text) => {
    expect(judge(text, before)).toEqual({ kind: "new" });
  });

  it("under a key of its own is even a single word, which two keys may share", () => {
    expect(checkNovelty("Berlin", true, known("Berlin"))).toEqual({ kind: "new" });
    expect(checkNovelty("thanks", true, [])).toEqual({ kind: "trivial" });
  });
});
