import type { UsageTotal } from "../../domain/budget/usage.ts";

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
}

export interface UsageWrites {
  add(place: UsagePlace, used: UsageTotal): Promise<void>;
}
