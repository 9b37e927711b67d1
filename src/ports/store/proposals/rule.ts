import type { EventCursor } from "../../../domain/event.ts";
import type { RuleCondition, RuleConsequence } from "../../../domain/rule/rule.ts";

/** A proposal written as data, in the workspace it acts in. */
export interface RuleRecord {
  readonly id: string;
  readonly space: string;
  /** Unique in the space. */
  readonly name: string;
  readonly author: string;
  readonly authorKind: "person" | "agent";
  readonly when: RuleCondition;
  readonly then: RuleConsequence;
  /** How often it may act before a person has to write. */
  readonly most: number;
  /** How often it acted since a person last wrote in the space, and in total. */
  readonly fired: number;
  readonly total: number;
  /** Sequence number of the last event it was evaluated on; null while its workspace is closed. */
  readonly seen: number | null;
  /** It acted as often as it may, and waits for a person. */
  readonly resting: boolean;
  readonly lastFiredAt: number | null;
  /** Why what it proposed last was refused, if it was. */
  readonly lastRefusal: string | null;
  readonly createdAt: number;
}

export type NewRule = Omit<RuleRecord, "seen">;

export type ActiveRule = RuleRecord & { readonly seen: number };

export interface RuleReads {
  byId(id: string): Promise<RuleRecord | undefined>;
  /** Oldest first; of one space, or of all. */
  list(space?: string): Promise<RuleRecord[]>;
  /** Those of open workspaces, oldest first. */
  active(): Promise<ActiveRule[]>;
  /** Returns the cursor up to which every rule of an open workspace was evaluated. */
  seen(): Promise<EventCursor>;
}

export interface RuleWrites {
  /** The name must be free in the space. The rule sees the events after this moment; while it is paused, none. */
  add(rule: NewRule, options: { readonly isPaused: boolean }): Promise<void>;
  /** Returns false when there is no such rule. */
  remove(id: string): Promise<boolean>;
  progress(
    id: string,
    to: Pick<RuleRecord, "fired" | "total" | "resting" | "lastFiredAt" | "lastRefusal">,
  ): Promise<void>;
  /** Every rule of an open workspace has seen every event so far. */
  markSeen(): Promise<void>;
  /** The space was closed: its rules see no events. */
  pause(space: string): Promise<void>;
  /** The space was opened: its rules see the events after this moment. */
  resume(space: string): Promise<void>;
}
