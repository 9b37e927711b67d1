import type { Usage, UsageTotal } from "../../domain/budget/usage.ts";

/** Who used it, where and when. */
export interface UsagePlace {
  readonly mailbox: string;
  readonly space: string;
  /** When the workspace was opened; 0 for direct messages. */
  readonly openedAt: number;
  /** UTC, `2026-01-31`. */
  readonly day: string;
}

export interface UsageQuery {
  readonly mailbox?: string;
  readonly space?: string;
  /** The first day, inclusive. */
  readonly since?: string;
}

/** Steps of a run, or those of an agent or in a workspace that ended at this time or later. */
export type StepQuery =
  | { readonly run: string }
  | { readonly since: number }
  | { readonly mailbox: string; readonly since: number }
  | { readonly space: string; readonly since: number };

/** A step whose cost is unknown, although its model is known. */
export interface UnpricedStep {
  readonly run: string;
  readonly number: number;
  /** `provider/model` of its run. */
  readonly model: string;
  readonly usage: Usage;
}

export type UsagePart = "mailbox" | "space" | "model";

/** What one agent, workspace or model used on one day, in UTC. */
export interface DayUsage {
  readonly day: string;
  /** `unknown` for a model that is not known. */
  readonly key: string;
  readonly total: UsageTotal;
}

export interface UsageReads {
  /** Usage of a mailbox on a day, in all spaces. */
  ofDay(mailbox: string, day: string): Promise<UsageTotal>;
  /** Usage of all mailboxes in a workspace since it was opened at this time. */
  sinceOpening(space: string, openedAt: number): Promise<UsageTotal>;
  /** Sums by one part of the place, ordered by that part. */
  by(
    part: "mailbox" | "space" | "day",
    query: UsageQuery,
  ): Promise<{ readonly key: string; readonly total: UsageTotal }[]>;
  /** Sums by day and one part of the place, or the model; ordered by day. The cost of `model` grows with the steps. */
  history(part: UsagePart, query: UsageQuery): Promise<DayUsage[]>;
  /** Oldest runs first. */
  unpriced(query: StepQuery): Promise<UnpricedStep[]>;
}

export interface UsageWrites {
  /** Gives a step whose cost is unknown an estimated one, in the step and in the sums. Does nothing when it has one. */
  price(run: string, step: number, usd: number): Promise<void>;
  add(place: UsagePlace, used: UsageTotal): Promise<void>;
}
