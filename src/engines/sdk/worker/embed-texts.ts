import { embedMany, type EmbeddingModel } from "ai";
import type { EmbeddedTexts } from "../protocol.ts";
import { WorkerFailure } from "./failure-report.ts";

/** Asks the model for the vectors of the texts. The library splits them into as many requests as the provider needs. */
export async function embedTexts(model: EmbeddingModel, texts: readonly string[]): Promise<EmbeddedTexts> {
  const { embeddings, usage } = await embedMany({ model, values: [...texts], maxRetries: 0, maxParallelCalls: 1 });
  const [first = []] = embeddings;
  if (embeddings.length !== texts.length || embeddings.some((vector) => vector.length !== first.length)) {
    throw new WorkerFailure({ message: "The provider did not send one vector of the same length for each text." });
  }
  return {
    type: "embedded",
    vectors: embeddings.map((vector) => Buffer.from(Float32Array.from(vector).buffer).toString("base64")),
    tokens: Number.isFinite(usage.tokens) ? usage.tokens : null,
  };
}
