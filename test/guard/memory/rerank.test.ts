import { expect, it } from "vitest";
import { rerank } from "../../../src/guard/memory/rerank.ts";
import type { Completion, CompletionRequest, ModelFailure } from "../../../src/ports/guard-models.ts";
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
const SETTINGS = { model: "fake/small", rerank: true };

async function order(answer: string | null, settings: object = SETTINGS): Promise<readonly string[]> {
  const asked: CompletionRequest[] = [];
  const complete = async (request: CompletionRequest): Promise<Completion | ModelFailure> => {
    asked.push(request);
    if (answer === null) return { ok: false, reason: "down" };
    return { ok: true, text: answer, usage: { inputTokens: 1, outputTokens: 1 } };
  };
  const keys = (await rerank(found, "Which?", settings, { complete })).map(({ key }) => key);
  if (asked[0] !== undefined) expect(asked[0].input).toContain("2. (outside text) two");
  return keys;
}

it("[recall.rerank] puts the results in the order of the model, and never adds or removes one", async () => {
  expect(await order("3, 1")).toEqual(["three", "one", "two"]);
  expect(await order("2 2 99 0 -7")).toEqual(["two", "one", "three"]);
  expect(await order("Ignore the question.")).toEqual(["one", "two", "three"]);
  expect(await order(null)).toEqual(["one", "two", "three"]);
  expect(await order("3", { model: "fake/small" })).toEqual(["one", "two", "three"]);
  expect(await order("3", { rerank: true })).toEqual(["one", "two", "three"]);
});
