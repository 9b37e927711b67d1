import type { EngineName } from "../../domain/agent/engines.ts";
import type { ProviderChoice } from "../../domain/agent/model.ts";
import { checkModel } from "../../domain/agent/named-model.ts";
import { UsageError } from "./usage-error.ts";

/** A model that a person typed, and what decides how it is read. */
export interface TypedModelChoice {
  readonly model: string;
  readonly backend?: EngineName;
  readonly provider?: ProviderChoice;
}

/** Refuses a `--model` that cannot be one, before anything is written: no file of the program is named for it. */
export function checkTypedModel(typed: TypedModelChoice): void {
  const checked = checkModel(typed);
  if (!checked.ok) throw new UsageError(`--model ${typed.model}: ${checked.error.message}`, checked.error.hint);
}
