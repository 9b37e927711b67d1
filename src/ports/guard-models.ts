import type { ProviderChoice } from "../domain/agent/model.ts";

/**
 * The models that the guard asks, outside of any run. No method throws or rejects: a failure is a value, and whoever asked
 * then decides without a model. Nothing is retried. A request that takes longer than its limit is given up.
 */
export interface GuardModels {
  /** Asks a language model one question. It has no tools and remembers nothing. */
  complete(request: CompletionRequest): Promise<Completion | ModelFailure>;
  /** Returns one vector for each text, in their order, all of the same length. */
  embed(request: EmbeddingRequest): Promise<Embeddings | ModelFailure>;
}

/** Which model is asked. `model` is `provider/model`. */
export interface GuardModelChoice {
  readonly model: string;
  readonly provider?: ProviderChoice;
}

export interface CompletionRequest extends GuardModelChoice {
  /** What the model has to do. Written by the product, never made of text of agents. */
  readonly instructions: string;
  /** What it works on. Untrusted content in it is marked. */
  readonly input: string;
  readonly maxOutputTokens: number;
  readonly timeoutMs: number;
}

export interface Completion {
  readonly ok: true;
  readonly text: string;
  readonly usage: ModelUsage;
}

export interface EmbeddingRequest extends GuardModelChoice {
  readonly texts: readonly string[];
  readonly timeoutMs: number;
}

export interface Embeddings {
  readonly ok: true;
  readonly vectors: readonly Float32Array[];
  readonly usage: ModelUsage;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ModelFailure {
  readonly ok: false;
  /** For people: what failed, without secrets. */
  readonly reason: string;
}
