import type { RuleCondition, RuleConsequence } from "../../domain/rule/rule.ts";

/** A proposal written as data, in the workspace it acts in. */
export interface RuleRecord {
  readonly id: string;
  readonly space: string;
  /** Its own in the space. */
  readonly name: string;
  readonly author: string;
  readonly authorKind: "person" | "agent";
  readonly when: RuleCondition;
  readonly then: RuleConsequence;
  /** How often it may act before a person has to speak. */
  readonly most: number;
  /** How often it acted since a person last spoke in the space, and ever. */
  readonly fired: number;
  readonly total: number;
  /** Sequence number of the last event it looked at; null while its workspace is closed. */
  readonly seen: number | null;
  /** It acted as often as it may, and waits for a person. */
  readonly resting: boolean;
  readonly lastFiredAt: number | null;
  /** Why what it proposed last was refused, if it was. */
  readonly lastRefusal: string | null;
  readonly createdAt: number;
}

export type RuleAtWork = RuleRecord & { readonly seen: number };

export interface RuleReads {
  byId(id: string): Promise<RuleRecord | undefined>;
  /** Oldest first; of one space, or of all. */
  list(space?: string): Promise<RuleRecord[]>;
  /** Those of open workspaces, oldest first. */
  atWork(): Promise<RuleAtWork[]>;
}

export interface RuleWrites {
  /** The name must be free in the space. */
  add(rule: RuleRecord): Promise<void>;
  /** False when there is no such rule. */
  remove(id: string): Promise<boolean>;
  progress(
    id: string,
    to: Pick<RuleRecord, "fired" | "total" | "resting" | "lastFiredAt" | "lastRefusal">,
  ): Promise<void>;
  /** Every rule at work has looked at everything up to here. */
  setSeen(seq: number): Promise<void>;
  /** The space was closed: its rules look at nothing. */
  pause(space: string): Promise<void>;
  /** The space was opened: its rules look at what comes after this. */
  resume(space: string, seq: number): Promise<void>;
}
