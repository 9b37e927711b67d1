import type { AgentDefinition } from "./definition.ts";
import type { ProviderChoice } from "./model.ts";
import { namesOtherProvider } from "./named-model.ts";

/** The model that turns the texts of an agent into vectors: `provider/model`, and where it is when the agent says so. */
export interface EmbeddingChoice {
  readonly model: string;
  readonly provider?: ProviderChoice;
}

/**
 * Returns the embedding model of an agent; undefined when it has none. The address and key of the agent's own provider are
 * used for a model of the same provider.
 */
export function embeddingOf({
  memory,
  provider,
}: Pick<AgentDefinition, "memory" | "provider">): EmbeddingChoice | undefined {
  const embedding = memory?.embedding;
  if (embedding === undefined || embedding.provider !== undefined || provider === undefined) return embedding;
  return namesOtherProvider(embedding.model, provider.name) ? embedding : { ...embedding, provider };
}
