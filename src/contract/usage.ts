import { z } from "zod";
import { GUARD_PURPOSES } from "../domain/guard/guard-purpose.ts";
import { declareQuery } from "./operation.ts";

/** Null, never 0, when it is unknown. */
const tokens = z.int().nullable();

export const usageView = z.object({
  runs: z.int(),
  steps: z.int(),
  /** Time spent in steps. */
  wallTimeMs: z.int(),
  tokens: z.object({
    /** The known tokens: a lower bound when `unknownSteps` is not 0. */
    total: z.int(),
    /** All tokens that were sent, cached or not. */
    input: tokens,
    /** All tokens that were generated, reasoning included. */
    output: tokens,
    cachedInput: tokens,
    cacheWrite: tokens,
    reasoning: tokens,
    unknownSteps: z.int(),
  }),
  cost: z.object({
    /** `reported` by the provider; `estimated` or `unknown` when any part of it is. */
    basis: z.enum(["reported", "estimated", "unknown"]),
    /** Null when it is unknown. */
    usd: z.number().nullable(),
    /** The part that is known. */
    knownUsd: z.number(),
    unknownSteps: z.int(),
  }),
});
export type UsageView = z.output<typeof usageView>;

const guardPurposeView = z.enum(GUARD_PURPOSES);
/** An estimate by the price of the model. */
const guardCost = { usd: z.number().nullable() };

/** One question of the guard to its model, in a run. */
export const guardUseView = z.object({
  purpose: guardPurposeView,
  /** `provider/model`. */
  model: z.string(),
  /** Unless it was answered, the guard decided by its rules. */
  outcome: z.enum(["answered", "unusable", "failed", "skipped"]),
  /** Why it was not answered. */
  reason: z.string().nullable(),
  wallTimeMs: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cost: z.object(guardCost),
});
export type GuardUseView = z.output<typeof guardUseView>;

/** What the guard asked its model for one agent and one purpose. It is not part of the usage of the agent's runs. */
export const guardUsageView = z.object({
  agent: z.string(),
  mailbox: z.string(),
  purpose: guardPurposeView,
  asked: z.int(),
  /** How many of them the guard decided by its rules, because the model did not answer. */
  unanswered: z.int(),
  wallTimeMs: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cost: z.object({ ...guardCost, knownUsd: z.number() }),
});
export type GuardUsageView = z.output<typeof guardUsageView>;

export const showUsage = declareQuery({
  name: "show-usage",
  summary:
    "Show the tokens, time and cost of the work, in total and by agent, workspace and day, and apart from it those of the guard.",
  method: "GET",
  path: "/stats",
  personTool: "usage_show",
  input: z.object({
    target: z.string().optional().describe("alice, @review or alice@review; absent: the whole project."),
    since: z.iso.date().optional().describe("First day to count, in UTC: 2026-01-31. Absent: from the beginning."),
  }),
  output: z.object({
    total: usageView,
    agents: z.array(z.object({ agent: z.string(), mailbox: z.string(), usage: usageView })),
    /** By workspace; direct messages are listed under the name of their agent. */
    spaces: z.array(z.object({ space: z.string(), usage: usageView })),
    days: z.array(z.object({ day: z.string(), usage: usageView })),
    guard: z.array(guardUsageView),
  }),
});

export const showRunUsage = declareQuery({
  name: "show-run-usage",
  summary: "Show what one run used, or all runs that one message led to.",
  method: "GET",
  path: "/stats/run",
  input: z.union([
    z.object({ run: z.string().describe("Id of a run.") }),
    z.object({ message: z.string().describe("Id of any message of the chain.") }),
  ]),
  output: z.object({
    /** Id of the message the chain began with. */
    root: z.string(),
    /** Null when the request names a message. */
    run: usageView.nullable(),
    chain: usageView,
    messages: z.int(),
    /** Why the chain was stopped. Null when it was not. */
    stopped: z.string().nullable(),
  }),
});
