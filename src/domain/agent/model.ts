import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

/** A model by its provider's name for it. Without a provider it is an alias of the engine, or "auto". */
export interface ModelChoice {
  readonly provider?: string;
  readonly model: string;
}

/** Who serves a model, where, and with which key. */
export interface ProviderChoice {
  readonly name: string;
  readonly baseUrl?: string;
  /** The name of an environment variable, never the key itself. */
  readonly apiKeyEnv?: string;
}

/** The model that turns the texts of an agent into vectors: `provider/model`, and where it is when the agent says so. */
export interface EmbeddingChoice {
  readonly model: string;
  readonly provider?: ProviderChoice;
}

export const AUTO_MODEL = "auto";

/** How a program's model is named in runs and prices: `codex/gpt-5.6`, or `codex/default` for its own choice. */
export function programModel(engine: string, written: string | undefined): string {
  const model = (written ?? "").trim();
  const name = model.slice(model.search(/[/:]/) + 1);
  return `${engine}/${name === "" || name === AUTO_MODEL ? "default" : name}`;
}

const PROVIDER = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;

/**
 * Reads "provider/model", "provider:model" or a bare alias. Only the first separator splits: in
 * "openrouter/anthropic/claude:free" the provider is openrouter and the rest is its model.
 */
export function parseModel(text: string): Result<ModelChoice, Refusal> {
  const trimmed = text.trim();
  const split = trimmed.search(/[/:]/);
  const provider = split === -1 ? undefined : trimmed.slice(0, split);
  const model = trimmed.slice(split + 1);
  if (model === "" || /\s/.test(model) || (provider !== undefined && !PROVIDER.test(provider))) {
    return refuse("invalid", `"${text}" is not a model.`, {
      hint: 'Write "provider/model", for example "anthropic/claude-sonnet-4-5", an alias of the engine, or "auto".',
    });
  }
  return ok(provider === undefined ? { model } : { provider, model });
}
