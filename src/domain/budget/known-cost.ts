import type { RuntimeSettings } from "../agent/definition.ts";
import { DEFAULT_ENGINE, engineKind, reportsCost } from "../agent/engines.ts";
import { AUTO_MODEL, parseModel, programModel } from "../agent/model.ts";

/**
 * Returns the first model of an agent whose cost nobody will know: its engine does not report it and it has no price.
 * Undefined when a limit of cost can be kept, or when only the run decides which model it is (`auto`).
 */
export function modelWithoutCost(settings: RuntimeSettings, hasPrice: (model: string) => boolean): string | undefined {
  const { backend = DEFAULT_ENGINE, model, fallbackModels = [] } = settings;
  if (reportsCost(backend)) return undefined;
  const names = [model, ...fallbackModels].map((each) =>
    engineKind(backend) === "api" ? apiModel(settings, each ?? "") : programModel(backend, each),
  );
  return names.find((name) => name !== undefined && !hasPrice(name));
}

const REPORTING_PROVIDER = "gateway";

function apiModel({ provider }: RuntimeSettings, written: string): string | undefined {
  const parsed = parseModel(written);
  const named = parsed.ok ? parsed.value : { model: written };
  const name = provider?.name ?? named.provider;
  if (named.model === AUTO_MODEL || name === undefined || name === REPORTING_PROVIDER) return undefined;
  return `${name}/${named.provider === name || provider === undefined ? named.model : written}`;
}
