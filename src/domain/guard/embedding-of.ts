import type { AgentDefinition } from "../agent/definition.ts";
import type { EmbeddingChoice } from "../agent/model.ts";
import { namesOtherProvider } from "../agent/named-model.ts";

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
