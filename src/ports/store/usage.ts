import type { UsageTotal } from "../../domain/budget/usage.ts";

/** Whose use, where and when. `life` is when the workspace was opened; 0 for direct messages. */
export interface UsagePlace {
  readonly mailbox: string;
  readonly space: string;
  readonly life: number;
  /** UTC, `2026-01-31`. */
  readonly day: string;
}

export interface UsageQuery {
  readonly mailbox?: string;
  readonly space?: string;
  /** A first day, itself included. */
  readonly since?: string;
}

export interface UsageReads {
  /** What a mailbox used on a day, everywhere. */
  ofDay(mailbox: string, day: string): Promise<UsageTotal>;
  /** What everyone used in a workspace since it was opened then. */
  ofLife(space: string, life: number): Promise<UsageTotal>;
  /** Sums by one of the parts of a place, in the order of that part. */
  by(
    part: "mailbox" | "space" | "day",
    query: UsageQuery,
  ): Promise<{ readonly key: string; readonly total: UsageTotal }[]>;
}

export interface UsageWrites {
  add(place: UsagePlace, used: UsageTotal): Promise<void>;
}
