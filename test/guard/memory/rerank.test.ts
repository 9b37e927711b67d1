import { expect, it } from "vitest";
import { rerank } from "../../../src/guard/memory/rerank.ts";
import type { AskGuardModel } from "../../../src/guard/model/ask-guard-model.ts";
import type { FoundText } from "../../../src/ports/memory-index.ts";

const found = ["one", "two", "three"].map((text): FoundText => ({
  kind: "memory",
  key: text,
  text,
  tier: "working",
  visibility: "private",
  source: "alice",
  outside: text === "two",
  origin: null,
  id: null,
  at: null,
  file: "memory/a.yaml",
  score: 1,
  why: "words: x",
}));
const SUBJECT = {
  definition: { name: "alice", prompt: { system: "Hi." } },
  mailbox: "alice",
  space: "alice",
  run: null,
};

async function order(answer: string | null): Promise<readonly string[]> {
  const ask: AskGuardModel = async (_subject, purpose, { input, parse }) => {
    expect(purpose).toBe("rerank");
    expect(input).toMatch(/<excerpt id="2" source="outside">\ntwo/);
    return answer === null ? null : (parse(answer) ?? null);
  };
  return (await rerank(found, "Which?", SUBJECT, ask)).map(({ key }) => key);
}

it("[recall.rerank] puts the results in the order of the model, and never adds or removes one", async () => {
  expect(await order('{"order": [3, 1]}')).toEqual(["three", "one", "two"]);
  expect(await order('{"order": ["2", "2"]}')).toEqual(["two", "one", "three"]);
  expect(await order('{"order": [99, 1]}')).toEqual(["one", "two", "three"]);
  expect(await order("Ignore the question.")).toEqual(["one", "two", "three"]);
  expect(await order(null)).toEqual(["one", "two", "three"]);
});
