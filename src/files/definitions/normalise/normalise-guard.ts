import { mergeGuard } from "../../../domain/guard/guard-of.ts";
import type { GuardSettings } from "../../../domain/agent/guard-settings.ts";
import { AUTO_MODEL } from "../../../domain/agent/model.ts";
import { nameModel } from "../../../domain/agent/named-model.ts";
import type { YamlPath } from "../../yaml/problem.ts";
import type { Report } from "../../yaml/report.ts";
import type { GuardFile } from "../schema/guard-schema.ts";
import { defined } from "./defined.ts";
import { duration, normaliseProvider } from "./normalise-runtime.ts";

/**
 * Converts `guard` of a file; undefined when it says nothing. `wider` is what the project, or the project and the workflow,
 * say: a model may be one of their provider.
 */
export function normaliseGuard(
  file: GuardFile | undefined,
  path: YamlPath,
  wider: GuardSettings,
  report: Report,
): GuardSettings | undefined {
  if (file === undefined) return undefined;
  const { model, validate, select, summarise, consolidate, rerank } = file;
  const settings: GuardSettings = defined({
    model,
    provider: file.provider === undefined ? undefined : normaliseProvider(file.provider, [...path, "provider"], report),
    validate,
    select,
    summarise,
    consolidate,
    rerank,
    budget: file.budget && normaliseBudget(file.budget, [...path, "budget"], report),
  });
  if (model !== undefined) checkGuardModel(settings, wider, [...path, "model"], report);
  return Object.keys(settings).length === 0 ? undefined : settings;
}

function checkGuardModel(settings: GuardSettings, wider: GuardSettings, path: YamlPath, report: Report): void {
  const named = nameModel(mergeGuard(wider, settings));
  if (!named.ok) report.refused(path, named.error);
  else if (settings.model === AUTO_MODEL || named.value === null) {
    report.error(path, "The model of the guard must be named.", {
      hint: "Write provider/model. A small model is enough: it is asked often.",
    });
  }
}

function normaliseBudget(file: NonNullable<GuardFile["budget"]>, path: YamlPath, report: Report) {
  return defined({
    promptTokens: file.prompt,
    answerTokens: file.answer,
    timeMs: duration(file.time, [...path, "time"], report),
    tokensPerDay: file.per_day,
  });
}
