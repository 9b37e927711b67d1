import { createHash } from "node:crypto";
import { isRecord } from "./wire.ts";

const DIMENSIONS = 64;

/** The answer of `/v1/embeddings`: vectors that are always the same for the same text. */
export function embeddingsOf(body: unknown): unknown {
  const input = isRecord(body) ? body.input : "";
  const texts = (Array.isArray(input) ? input : [input]).map(String);
  return {
    object: "list",
    model: isRecord(body) ? body.model : "fake",
    data: texts.map((text, index) => ({ object: "embedding", index, embedding: fakeVector(text) })),
    usage: { prompt_tokens: texts.length * 7, total_tokens: texts.length * 7 },
  };
}

/** Words that mean the same to this model. */
const SAME_MEANING: ReadonlyMap<string, string> = new Map([
  ["automobile", "car"],
  ["parked", "stands"],
  ["barn", "shed"],
]);

/** Each word adds one to a dimension: texts that share words, or their meanings, have vectors that point the same way. */
export function fakeVector(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const at =
      createHash("sha256")
        .update(SAME_MEANING.get(word) ?? word)
        .digest()
        .readUInt32BE(0) % DIMENSIONS;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
