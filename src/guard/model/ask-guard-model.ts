import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { nameModel } from "../../domain/agent/named-model.ts";
import { utcDay } from "../../domain/budget/day.ts";
import { guardLimits } from "../../domain/guard/guard-limits.ts";
import { guardOf } from "../../domain/guard/guard-of.ts";
import { asksFor, type GuardPurpose } from "../../domain/guard/guard-purpose.ts";
import { workflowOf } from "../../domain/message/space.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { GuardModels, ModelUsage } from "../../ports/guard-models.ts";
import type { GuardUse } from "../../ports/store/guard-use.ts";
import type { Trust } from "../../ports/trust.ts";
import { estimateTokens } from "../context/estimate-tokens.ts";
import { createModelRest } from "./model-rest.ts";

/** For whom the guard asks. */
export interface GuardSubject {
  /** The agent as it acts there: its settings say whether and which model is asked. */
  readonly definition: AgentDefinition;
  readonly mailbox: string;
  /** Empty outside of any space. */
  readonly space: string;
  /** The run that waits for the answer; null when none does. */
  readonly run: string | null;
}

export interface GuardQuestion<T> {
  /** What the model has to do, and the form of its answer. Written by the product, never made of text of agents. */
  readonly instructions: string;
  /** What it works on: texts from `fencedTexts`. */
  readonly input: string;
  /** Returns what the answer means; undefined when it has not the requested form. */
  parse(answer: string): T | undefined;
}

/**
 * Asks the guard's model of an agent. Returns null when the rules have to decide: no model is named, the setting is off, no
 * person consented to it, its budget is used up, it failed, or its answer has not the requested form. Never throws, and
 * records each question. Never called inside a transaction. What the model says about untrusted content is untrusted.
 */
export type AskGuardModel = <T>(
  subject: GuardSubject,
  purpose: GuardPurpose,
  question: GuardQuestion<T>,
) => Promise<T | null>;

export interface AskGuardModelParts {
  readonly models: GuardModels;
  readonly trust: Pick<Trust, "unseenOfAgent">;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly log: Log;
  /** Returns the text without secrets. */
  readonly redact: (text: string) => string;
  /** Tokens that were used for a mailbox on a day. */
  readonly tokensOfDay: (mailbox: string, day: string) => Promise<number>;
  readonly record: (use: RecordedUse) => Promise<void>;
}

export type RecordedUse = Omit<GuardUse, "day" | "at" | "usd">;

const NO_TOKENS: ModelUsage = { inputTokens: 0, outputTokens: 0 };

export function createAskGuardModel(parts: AskGuardModelParts): AskGuardModel {
  const { models, trust, clock, log } = parts;
  const rest = createModelRest(clock);
  /** Tokens of questions that are being asked, by mailbox. */
  const reserved = new Map<string, number>();

  const record = async (use: RecordedUse): Promise<void> => {
    try {
      await parts.record(use);
    } catch (error) {
      log.error("a question of the guard could not be recorded", { error });
    }
  };

  return async (subject, purpose, { instructions, input: given, parse }) => {
    const { definition, mailbox, space, run } = subject;
    const settings = guardOf(definition);
    if (settings.model === undefined || !asksFor(settings, purpose)) return null;
    if (trust.unseenOfAgent(definition, workflowOf(space) ?? null).length > 0) return null;
    const named = nameModel(settings);
    const model =
      named.ok && named.value !== null ? `${named.value.provider.name}/${named.value.model}` : settings.model;
    const { answerTokens, timeMs, tokensPerDay } = guardLimits(settings);
    const input = parts.redact(given);
    const started = clock.monotonic();

    const end = async (
      outcome: RecordedUse["outcome"],
      reason: string | null,
      usage: ModelUsage = NO_TOKENS,
    ): Promise<null> => {
      const wallMs = Math.max(0, Math.round(clock.monotonic() - started));
      await record({ mailbox, space, run, purpose, model, outcome, reason, wallMs, ...usage });
      if (outcome !== "answered")
        log.warn("the guard decided without its model", { mailbox, run, purpose, model, reason });
      return null;
    };

    const resting = rest.reason(model);
    if (resting !== undefined) return end("skipped", resting);
    const needed = estimateTokens(instructions) + estimateTokens(input) + answerTokens;
    const busy = reserved.get(mailbox) ?? 0;
    reserved.set(mailbox, busy + needed);
    try {
      const used = await parts.tokensOfDay(mailbox, utcDay(clock.now()));
      if (used + busy + needed > tokensPerDay) {
        return await end("skipped", `The ${tokensPerDay} tokens of the day are used up (guard.budget.per_day).`);
      }
      const { provider } = settings;
      const answer = await models.complete({
        model: settings.model,
        ...(provider === undefined ? {} : { provider }),
        instructions,
        input,
        maxOutputTokens: answerTokens,
        timeoutMs: timeMs,
      });
      if (!answer.ok) {
        rest.failed(model);
        return await end("failed", answer.reason);
      }
      rest.answered(model);
      const usage = reported(answer.usage, instructions + input, answer.text);
      const parsed = parse(parts.redact(answer.text));
      if (parsed === undefined) return await end("unusable", "The answer has not the requested form.", usage);
      await end("answered", null, usage);
      return parsed;
    } catch (error) {
      log.error("the guard could not ask its model", { model, error });
      return null;
    } finally {
      const left = (reserved.get(mailbox) ?? 0) - needed;
      if (left <= 0) reserved.delete(mailbox);
      else reserved.set(mailbox, left);
    }
  };
}

/** A provider that reports nothing is charged by an estimate: otherwise the limit of the day would never be reached. */
function reported({ inputTokens, outputTokens }: ModelUsage, sent: string, answered: string): ModelUsage {
  return {
    inputTokens: inputTokens > 0 ? inputTokens : estimateTokens(sent),
    outputTokens: outputTokens > 0 ? outputTokens : estimateTokens(answered),
  };
}
