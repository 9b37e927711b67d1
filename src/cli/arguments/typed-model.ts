import type { EngineName } from "../../domain/agent/engines.ts";
import type { ProviderChoice } from "../../domain/agent/model.ts";
import { checkModel } from "../../domain/agent/named-model.ts";
import { findProvider } from "../../domain/agent/providers.ts";
import { UsageError } from "./usage-error.ts";

/** A model that a person typed, and what decides how it is read. */
export interface TypedModelChoice {
  readonly model: string;
  readonly backend?: EngineName;
  readonly provider?: ProviderChoice;
}

/**
 * Refuses a `--model` that cannot be one, before anything is written: no file of the program is named for it. Commands that
 * use it have `--base-url`.
 */
export function checkTypedModel(typed: TypedModelChoice): void {
  const checked = checkModel(typed);
  if (checked.ok) return;
  const named = findProvider(typed.model.split("/")[0] ?? "");
  const lacksAddress = named?.needsBaseUrl === true && typed.provider === undefined;
  const hint = lacksAddress ? "Say where its server is: --base-url URL" : checked.error.hint;
  throw new UsageError(`--model ${typed.model}: ${checked.error.message}`, hint);
}
