import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { guardOf } from "../../domain/guard/guard-of.ts";
import type { GuardModels } from "../../ports/guard-models.ts";
import type { SummaryModel } from "./summarise-part.ts";

const ANSWER_TOKENS = 1000;
const TIME_MS = 20_000;

/** Returns the model that writes summaries for an agent; null when rules make them. */
export function summaryModel(models: GuardModels, definition: AgentDefinition): SummaryModel | null {
  const { model, provider, summarise = true, budget = {} } = guardOf(definition);
  if (model === undefined || !summarise) return null;
  const { answerTokens = ANSWER_TOKENS, timeMs = TIME_MS } = budget;
  const asked = { model, ...(provider === undefined ? {} : { provider }) };
  const limits = { maxOutputTokens: answerTokens, timeoutMs: timeMs };
  return {
    name: model,
    async ask(question) {
      const answer = await models.complete({ ...asked, ...question, ...limits });
      return answer.ok ? answer.text : null;
    },
  };
}
