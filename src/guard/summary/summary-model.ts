import { guardOf } from "../../domain/guard/guard-of.ts";
import { asksFor, type GuardPurpose } from "../../domain/guard/guard-purpose.ts";
import type { AskGuardModel, GuardSubject } from "../model/ask-guard-model.ts";
import type { SummaryModel } from "./summarise-part.ts";

/** Returns the model that writes summaries for an agent; null when rules make them. */
export function summaryModel(ask: AskGuardModel, subject: GuardSubject, purpose: GuardPurpose): SummaryModel | null {
  const settings = guardOf(subject.definition);
  if (settings.model === undefined || !asksFor(settings, purpose)) return null;
  return {
    name: settings.model,
    ask: (question) =>
      ask(subject, purpose, { ...question, parse: (answer) => (answer.trim() === "" ? undefined : answer) }),
  };
}
