import type { GuardPurpose } from "../../domain/guard/guard-purpose.ts";

/**
 * How a question of the guard to its model ended. `unusable`: the answer had not the requested form. `skipped`: it was not
 * asked, because its budget is used up or because it failed again and again. Unless it was answered, the rules decided.
 */
export const GUARD_OUTCOMES = ["answered", "unusable", "failed", "skipped"] as const;
export type GuardOutcome = (typeof GUARD_OUTCOMES)[number];

/** One question of the guard to its model. It holds nothing of the question and of the answer. */
export interface GuardUse {
  /** For which agent. */
  readonly mailbox: string;
  /** UTC, `2026-01-31`. */
  readonly day: string;
  /** Empty outside of any space. */
  readonly space: string;
  readonly run: string | null;
  readonly purpose: GuardPurpose;
  /** `provider/model`. */
  readonly model: string;
  readonly outcome: GuardOutcome;
  /** Why it was not answered. */
  readonly reason: string | null;
  readonly wallMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Estimated. Null when the price of the model is unknown. */
  readonly usd: number | null;
  readonly at: number;
}

/** The uses for one agent and one purpose. */
export interface GuardUsage {
  readonly mailbox: string;
  readonly purpose: GuardPurpose;
  readonly asked: number;
  /** How many of them were not answered. */
  readonly unanswered: number;
  readonly wallMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of those whose price is known. */
  readonly knownUsd: number;
  readonly unknownCosts: number;
}

export interface GuardUseReads {
  /** The newest, newest first. */
  latest(limit: number): Promise<GuardUse[]>;
  /** In their order. */
  ofRun(run: string): Promise<GuardUse[]>;
  /** All tokens for a mailbox on a day. */
  tokensOfDay(mailbox: string, day: string): Promise<number>;
  /** Ordered by mailbox and purpose. `since` is the first day, inclusive. */
  totals(query: { readonly mailbox?: string; readonly space?: string; readonly since?: string }): Promise<GuardUsage[]>;
}

export interface GuardUseWrites {
  add(use: GuardUse): Promise<void>;
}
