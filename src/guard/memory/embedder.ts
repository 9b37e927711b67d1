import type { EmbeddingChoice } from "../../domain/agent/model.ts";
import { isBareReply } from "../../domain/recall/bare-reply.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { GuardModels } from "../../ports/guard-models.ts";
import type { IndexedText, MemoryIndex, QuestionVector } from "../../ports/memory-index.ts";

/**
 * Turns texts into vectors with the embedding model of an agent. It works in the background: neither a search nor a store
 * waits for it, except that a search waits a moment for the vector of its question. A model that fails is left alone for a
 * while, and the search finds by words alone.
 */
export interface Embedder {
  /** Computes the missing vectors of an agent later. Those of another model count as missing. */
  schedule(agent: string): void;
  /** Undefined when the agent has no embedding model or no vectors yet, or when the model fails or is slow. */
  question(agent: string, question: string): Promise<QuestionVector | undefined>;
  /** Resolves when nothing is scheduled any more. */
  idle(): Promise<void>;
  close(): void;
}

export interface EmbedderParts {
  readonly index: MemoryIndex;
  readonly models: GuardModels;
  /** The embedding model of an agent as its file says it now. */
  choiceOf(agent: string): EmbeddingChoice | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const TEXTS_AT_ONCE = 32;
const TEXT_CHARS = 2000;
const TEXTS_MS = 60_000;
const QUESTION_MS = 2000;
const LEFT_ALONE_MS = 30_000;

export function createEmbedder({ index, models, choiceOf, clock, log }: EmbedderParts): Embedder {
  const pending = new Set<string>();
  /** By model: when it may be asked again. */
  const failedUntil = new Map<string, number>();
  let closed = false;
  let working: Promise<void> = Promise.resolve();
  let isWorking = false;

  const isLeftAlone = (model: string): boolean => (failedUntil.get(model) ?? 0) > clock.now();
  const embed = async (choice: EmbeddingChoice, texts: readonly string[], timeoutMs: number) => {
    const answer = await models.embed({ ...choice, texts, timeoutMs });
    if (answer.ok && answer.vectors.length === texts.length) return answer.vectors;
    failedUntil.set(choice.model, clock.now() + LEFT_ALONE_MS);
    const reason = answer.ok ? "It returned another number of vectors." : answer.reason;
    log.warn("an embedding model failed; memory is searched by words", { model: choice.model, reason });
    return undefined;
  };

  const embedTexts = async (agent: string): Promise<void> => {
    const choice = choiceOf(agent);
    if (choice === undefined || isLeftAlone(choice.model)) return;
    for (let after = 0; !closed;) {
      const found = index.withoutVector(agent, choice.model, { after, limit: TEXTS_AT_ONCE });
      after = found.at(-1)?.id ?? after;
      const texts = found.filter(({ text }) => !isBareReply(text.text));
      if (texts.length > 0) {
        const vectors = await embed(choice, texts.map(textOf), TEXTS_MS);
        if (vectors === undefined || closed) return;
        await index.putVectors(
          agent,
          choice.model,
          texts.flatMap(({ id }, position) => {
            const vector = vectors[position];
            return vector === undefined ? [] : [{ id, vector }];
          }),
        );
      }
      if (found.length < TEXTS_AT_ONCE) return;
    }
  };

  const work = async (): Promise<void> => {
    for (const agent of pending) {
      pending.delete(agent);
      try {
        if (!closed) await embedTexts(agent);
      } catch (error) {
        log.error("could not compute the vectors of an agent", { agent, error });
      }
    }
    isWorking = false;
  };

  return {
    schedule(agent) {
      if (closed || choiceOf(agent) === undefined) return;
      pending.add(agent);
      if (isWorking) return;
      isWorking = true;
      working = work();
    },
    async question(agent, question) {
      const choice = choiceOf(agent);
      if (choice === undefined || isLeftAlone(choice.model) || !index.hasVectors(agent, choice.model)) return undefined;
      const [vector] = (await embed(choice, [question.slice(0, TEXT_CHARS)], QUESTION_MS)) ?? [];
      return vector === undefined ? undefined : { model: choice.model, vector };
    },
    idle: () => working,
    close() {
      closed = true;
      pending.clear();
    },
  };
}

/** The text with its author or its key, without which many texts mean little. */
function textOf({ text: { kind, key, source, text } }: IndexedText): string {
  const name = kind === "conversation" ? source : kind === "memory" ? key : "";
  return `${name === "" ? "" : `${name}: `}${text}`.slice(0, TEXT_CHARS).toWellFormed();
}
