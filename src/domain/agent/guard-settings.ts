import type { ProviderChoice } from "./model.ts";

/**
 * What the guard does for an agent. The agent's own value counts first, then that of the workflow, then that of the
 * project. Without a `model` the guard decides everything by its rules.
 */
export interface GuardSettings {
  /** The model that the guard asks: `provider/model`. */
  readonly model?: string;
  readonly provider?: ProviderChoice;
  /** Ask the model whether a memory is worth storing and true to what was said. Default: true when there is a model. */
  readonly validate?: boolean;
  /** Ask the model which of the candidates matter for a prompt. Default: true when there is a model. */
  readonly select?: boolean;
  /** Ask the model for summaries: of long channels and conversations, and of what `ask_agent` answers. Default: true when there is a model. */
  readonly summarise?: boolean;
  /** Tidy up memory when the agent is idle: by rules, and with the model where there is one. Default: true. */
  readonly consolidate?: boolean;
  /** Ask the model to order the results of a recall. Default: false. */
  readonly rerank?: boolean;
  readonly budget?: GuardBudget;
}

/** Limits of the guard. */
export interface GuardBudget {
  /** Tokens of a whole prompt. Default: 32000. */
  readonly promptTokens?: number;
  /** Output tokens of one question to the model. Default: 1000. */
  readonly answerTokens?: number;
  /** Longest time of one question to the model. Default: 20 s. */
  readonly timeMs?: number;
  /** Tokens that the guard's model may use on one day for one agent. Afterwards the rules decide. Default: 200000. */
  readonly tokensPerDay?: number;
}
